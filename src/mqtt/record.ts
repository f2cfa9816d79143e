/** Where the device published last, kept across restarts: what the broker keeps there is deleted when the topics are others. */
import { readState, writeState } from "../parts/state";
import type { MqttOptions } from "./types";

/** The key in the device's state. */
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
    trace("mqtt: where it publishes cannot be stored\n");
  }
}
