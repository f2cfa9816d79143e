import Ethernet from "ethernet";

/**
 * Takes the place of the SDK's setup/network and setup/ethernet, which hold main back until there is an address: the BMS is monitored
 * and the relay switched with or without a network. The link and DHCP follow the cable by themselves.
 */
export default function (done) {
  try {
    Ethernet.start();
  } catch {
    trace("network: the Ethernet hardware does not answer\n");
  }
  done();
}
