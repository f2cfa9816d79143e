/** The dedicated worker: a device, connections to it, and an adapter to a real pack. */
import type { AdapterState } from "./adapter";
import { captureOf } from "./capture";
import { startDevice, type Device, type DeviceOptions } from "./device";
import { openFiles } from "./files";
import { HTTP_PORT } from "./port";
import type { PortInfo } from "./serial";
import { dial } from "./sockets";

/** With "port" comes one on which each message has the port of a new connection; "release": another worker is to have the adapter. */
export type ToWorker =
  | "port"
  | "capture"
  | "release"
  | { readonly connect: PortInfo }
  | { readonly writes: boolean }
  | { readonly start: Omit<DeviceOptions, "tell">; readonly database: string };

export type FromWorker =
  | { readonly ready: true; readonly code: string }
  | { readonly failed: string }
  | { readonly adapter: AdapterState }
  | { readonly capture: string }
  | { readonly released: true };

let device: Device | undefined;

function acceptFrom(port: MessagePort): void {
  port.onmessage = ({ ports: [connection] }) => connection && dial(HTTP_PORT, connection);
}

const tell = (message: FromWorker): void => self.postMessage(message);

async function start(options: DeviceOptions, database: string): Promise<void> {
  await openFiles(database);
  device = await startDevice(options);
  tell({ ready: true, code: device.code });
}

async function obey(message: Exclude<ToWorker, "port">): Promise<void> {
  if (message === "capture") {
    if (device) tell({ capture: captureOf(device) });
  } else if (message === "release") {
    await device?.adapter?.close();
    tell({ released: true });
  } else if ("connect" in message) await device?.adapter?.connect(message.connect);
  else if ("writes" in message) device?.adapter?.allow(message.writes);
  else await start({ ...message.start, tell: (adapter) => tell({ adapter }) }, message.database);
}

self.onmessage = ({ data, ports: [port] }: MessageEvent<ToWorker>) => {
  if (data !== "port") void obey(data).catch((error: unknown) => tell({ failed: String(error) }));
  else if (port) acceptFrom(port);
};
