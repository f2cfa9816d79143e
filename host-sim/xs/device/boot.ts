import { DELIVERY_HEADER, EVENT, OPERATION, STATUS } from "../protocol";
import { readConfig } from "./config";
import { bytesOf, call, clock, deliver, textOf } from "./link";

/** Functions that the simulator may call in the running firmware. Parameters and results are JSON. */
export type Exposed = Readonly<Record<string, (...parameters: never[]) => unknown>>;

/** Globals of the worker that the device lacks. */
const NOT_ON_THE_DEVICE = [
  "TextDecoder",
  "TextEncoder",
  "Base64",
  "performance",
  "print",
  "setImmediate",
  "issueCommand",
];

function reply(status: number, text = ""): ArrayBuffer {
  const bytes = bytesOf(text);
  const message = new Uint8Array(1 + bytes.length);
  message[0] = status;
  message.set(bytes, 1);
  return message.buffer;
}

/** Runs `main` once the simulator switches the device on. */
export function boot<Firmware>(main: () => Firmware, expose: (firmware: Firmware) => Exposed): void {
  let exposed: Exposed = {};
  globalThis.trace = (...text) => void call(OPERATION.trace, 0, 0, bytesOf(text.join("")));
  for (const name of NOT_ON_THE_DEVICE) delete (globalThis as Record<string, unknown>)[name];

  const handle = (event: number, message: ArrayBuffer, view: DataView): string => {
    if (event === EVENT.configure) {
      readConfig();
      return "";
    }
    if (event === EVENT.boot) {
      exposed = expose(main());
      return JSON.stringify(Object.keys(exposed));
    }
    if (event === EVENT.ask) {
      const [name, ...parameters] = JSON.parse(textOf(message, DELIVERY_HEADER)) as [string, ...never[]];
      const exposure = exposed[name];
      if (!exposure) throw new Error(`not exposed: ${name}`);
      return JSON.stringify(exposure(...parameters)) ?? "";
    }
    deliver(event, view.getUint32(4), view.getInt32(8));
    return "";
  };
  const done = reply(STATUS.done);
  globalThis.handleCommand = (message) => {
    const view = new DataView(message);
    clock.ticks = view.getInt32(12);
    try {
      const text = handle(view.getUint8(0), message, view);
      return text ? reply(STATUS.done, text) : done;
    } catch (error) {
      // XS's stack starts with the error's name and message.
      return reply(STATUS.error, (error as Error).stack ?? String(error));
    }
  };
}
