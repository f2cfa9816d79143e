/** The command line with a stub firmware and a stub BMS, to test the command line itself. */
import Serial from "embedded:io/serial";
import driver from "../../../host-sim/io/ethernet-driver";
import Listener from "../../../host-sim/io/listener";
import TCP from "embedded:io/socket/tcp";
import KeyValueStorage from "embedded:storage/key-value";
import config from "mc/config";
import type { BoardConfig } from "../../../host-sim/config";
import { start, type BmsOrder, type Parts, type RunningFirmware } from "../../../host-sim/run";

/** Answers every HTTP request with the stub BMS's reply to it. */
function main(): RunningFirmware {
  const { httpPort, pins, settings } = config as unknown as BoardConfig;
  const storage = KeyValueStorage.open({ path: "settings", format: "string" });
  const token = settings.api?.token ?? (storage.read("token") as string | undefined) ?? "made";
  storage.write("token", token);
  let asking: TCP | undefined;
  let answer = "";
  const into = new Uint8Array(128);
  const serial = new Serial({
    ...pins.bms,
    baud: settings.bms?.baud ?? 115_200,
    onReadable() {
      answer += Buffer.from(into.subarray(0, this.read(into) ?? 0)).toString();
      if (!answer.endsWith(".")) return;
      const heard = answer;
      answer = "";
      // The end of a reply to another board on the wire may arrive after this one was asked.
      if (!heard.includes(`${httpPort}:`)) return;
      asking?.write(Uint8Array.from(Buffer.from(`HTTP/1.0 200 OK\r\n\r\n${heard}`)));
      asking?.close();
    },
  });
  // Starts the TCP/IP stack, which the listener needs.
  driver.start("stub");
  const listener = new Listener({
    port: httpPort,
    onReadable() {
      const from = this.read();
      if (!from) return;
      asking = new TCP({
        from,
        onReadable(count) {
          this.read(new Uint8Array(count));
          serial.write(Uint8Array.from(Buffer.from(`${httpPort}?`)));
        },
      });
    },
  });
  return { settings: { api: { token }, web: { password: "" } }, close: () => listener.close() };
}

/** Replies with its options to anything that ends with a question mark, which it repeats without the mark. */
function bms({ wire, clock: _clock, ...order }: BmsOrder): { close(): void } {
  if (order.model === "none") throw new Error("no such model: none");
  let question = "";
  wire.bms.onByte = (byte) => {
    if (byte !== 0x3f) return void (question += String.fromCharCode(byte));
    wire.bms.send(Buffer.from(`${question}:${JSON.stringify(order)}.`));
    question = "";
  };
  return { close: () => undefined };
}

export const parts: Parts = {
  main,
  bms,
  faultHelp: "  bad-crc  a bit is flipped",
  frameMasterHelp: "  yambms",
  masterFaultHelp: "  rare  it hardly speaks",
};

if (process.argv[1]?.includes("host-sim-program")) await start(parts);
