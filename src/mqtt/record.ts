/** The topics last used, stored across restarts: if they change, the retained messages under the old ones are deleted. */
import { readState, writeState } from "../runtime/state";
import type { MqttOptions } from "./types";

/** Key in the device's state. */
const KEY = "mqtt";

type Storing = Pick<MqttOptions, "storage">;

export function readRecord({ storage }: Storing): unknown {
  try {
    return readState(storage, KEY);
  } catch {
    return undefined;
  }
}

export function writeRecord({ storage }: Storing, record: string): void {
  try {
    writeState(storage, KEY, record);
  } catch {
    trace("mqtt: cannot store the published topics\n");
  }
}
