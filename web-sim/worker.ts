/** The dedicated worker: a device, and connections to it. */
import { startDevice, type DeviceOptions } from "./device";
import { openFiles } from "./files";
import { HTTP_PORT } from "./port";
import { dial } from "./sockets";

/** To the worker; with "port" comes one on which each message has the port of a new connection. */
export type ToWorker = "port" | (DeviceOptions & { readonly database: string });
export type FromWorker = { readonly ready: true; readonly code: string } | { readonly failed: string };

function acceptFrom(port: MessagePort): void {
  port.onmessage = ({ ports: [connection] }) => connection && dial(HTTP_PORT, connection);
}

const tell = (message: FromWorker): void => self.postMessage(message);

self.onmessage = ({ data, ports: [port] }: MessageEvent<ToWorker>) => {
  if (data === "port") {
    if (port) acceptFrom(port);
    return;
  }
  openFiles(data.database)
    .then(() => startDevice(data))
    .then(
      ({ code }) => tell({ ready: true, code }),
      (error: unknown) => tell({ failed: String(error) }),
    );
};
