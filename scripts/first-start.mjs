/** What a device says on its console when it opens its access point: the way in at the first start. */
import { SerialPort } from "serialport";
import { renderUnicodeCompact } from "uqr";

/** Of UART0: CONFIG_ESP_CONSOLE_UART_DEFAULT. */
const BAUD = 115_200;
/** As src/network/wifi/wireless.ts traces it. */
const SAID = /network: access point (\S+), password (.+?)\r?\n/;

/** Characters that a Wi-Fi QR code wants a backslash before. */
const escaped = (text) => text.replace(/[\\;,":]/g, "\\$&");

/** Of a Wi-Fi QR code, as phones take it. */
export const wifiText = ({ name, password }) => `WIFI:T:WPA;S:${escaped(name)};P:${escaped(password)};;`;

/**
 * Listens to the console until the access point opens.
 * @returns {Promise<{ name: string, password: string } | undefined>} undefined: it did not in that time. Rejects when the port cannot be opened.
 */
export function accessPointOn(path, seconds) {
  return new Promise((resolve, reject) => {
    const port = new SerialPort({ path, baudRate: BAUD }, (error) => error && reject(error));
    let said = "";
    const end = (found) => {
      clearTimeout(timer);
      resolve(found);
      if (port.isOpen) port.close();
    };
    const timer = setTimeout(end, seconds * 1000);
    port.on("data", (bytes) => {
      said += bytes.toString("latin1");
      const [, name, password] = SAID.exec(said) ?? [];
      if (name) end({ name, password });
    });
    port.on("close", () => end());
  });
}

/** For people. */
export const firstStartText = (found) => `
  Access point  ${found.name}
  Password      ${found.password}

${renderUnicodeCompact(wifiText(found))}

  Join it and open http://192.168.4.1
`;
