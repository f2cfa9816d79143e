import config from "mc/config";
import WiFi from "embedded:network/interface/wifi";
import Timer from "timer";

/** ms between the loss of the access point, or a try in vain, and the next try. */
const RETRY = 5_000;
/** `connection` of ECMA-419's network interface: at or below it there is no link, and no try to get one is under way. */
const DISCONNECTED = 200;

/**
 * Takes the place of the SDK's setup/network, which holds main back until there is an address: the BMS is monitored and the relay
 * switched with or without a network. Whether or not Wi-Fi is configured, this starts the TCP/IP stack.
 */
export default function (done) {
  const { ssid, password } = config;
  let timer;
  const wifi = new WiFi({
    onChanged() {
      if (ssid && !timer && this.connection <= DISCONNECTED) timer = Timer.set(connect, RETRY);
    },
  });
  function connect() {
    timer = undefined;
    wifi.connect(password ? { SSID: ssid, password, secure: true } : { SSID: ssid });
  }
  if (ssid) connect();
  else trace("network: no Wi-Fi is configured\n");
  done();
}
