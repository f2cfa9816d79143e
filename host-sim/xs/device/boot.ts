import { DELIVERY_HEADER, EVENT, FLAG, OPERATION, ORDER, REPLY_HEADER, STATUS } from "../protocol";
import { readConfig } from "./config";
import { areOrdersWaiting, bytesOf, call, deliver, takeOrders, textOf, told, unmetered } from "./link";
import { fireAll } from "./timer";

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
  const orders = takeOrders();
  const bytes = bytesOf(text);
  const message = new Uint8Array(REPLY_HEADER + orders.length + bytes.length);
  message[0] = status;
  message[1] = orders.length / ORDER;
  message.set(orders, REPLY_HEADER);
  message.set(bytes, REPLY_HEADER + orders.length);
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
    if (event === EVENT.onTimers) fireAll(view);
    else deliver(event, view.getUint32(4), view.getInt32(8));
    return "";
  };
  const done = reply(STATUS.done);
  globalThis.handleCommand = (message) => {
    const view = new DataView(message);
    told.ticks = view.getInt32(12);
    told.levels = view.getUint8(1);
    told.refuses = (view.getUint8(2) & FLAG.refuses) !== 0;
    if (view.getUint8(2) & FLAG.wiredChanged) told.wiredChanges++;
    if (view.getUint8(2) & FLAG.analogChanged) told.analogChanges++;
    if (view.getUint8(2) & FLAG.heapChanged) told.heapChanges++;
    told.delivery++;
    told.areLevelsKnown = true;
    try {
      const text = handle(view.getUint8(0), message, view);
      return text || areOrdersWaiting() ? unmetered(() => reply(STATUS.done, text)) : done;
    } catch (error) {
      // XS's stack starts with the error's name and message.
      return reply(STATUS.error, (error as Error).stack ?? String(error));
    }
  };
}
