/** Reads the console output of a device that opens its access point: the credentials for the first start. */
import { SerialPort } from "serialport";
import { renderUnicodeCompact } from "uqr";

/** Baud rate of UART0: CONFIG_ESP_CONSOLE_UART_DEFAULT. */
const BAUD = 115_200;
/** The line traced by src/network/wifi/wireless.ts. */
const SAID = /network: access point (\S+), password (.+?)\r?\n/;

/** Characters that must be escaped in a Wi-Fi QR code. */
const escaped = (text) => text.replace(/[\\;,":]/g, "\\$&");

/** Content of a Wi-Fi QR code, as phones scan it. */
export const wifiText = ({ name, password }) => `WIFI:T:WPA;S:${escaped(name)};P:${escaped(password)};;`;

/**
 * Reads the console until the access point opens.
 * @returns {Promise<{ name: string, password: string } | undefined>} undefined on timeout. Rejects if the port cannot be opened.
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

/** Human-readable instructions. */
export const firstStartText = (found) => `
  Access point  ${found.name}
  Password      ${found.password}

${renderUnicodeCompact(wifiText(found))}

  Join it and open http://192.168.4.1
`;
