import type Serial from "embedded:io/serial";
import type KeyValueStorage from "embedded:storage/key-value";
import { JkBus } from "jk-bms/jk-bus";
import type { BusOptions } from "modbus/types";
import type { BmsBus, BusOpener } from "../packs/link";
import type { BmsSettings } from "../settings/types";

/** What the port needs of the device. */
export interface PortDevice {
  readonly storage?: typeof KeyValueStorage;
  readonly serial: typeof Serial;
  readonly build: { readonly pins: { readonly bms: Omit<BusOptions["serial"], "io"> } };
  /** Learns why the port could not be opened, and that it could after all. */
  readonly parts: { failed(part: "bms", error: unknown): void; works(part: "bms"): void };
}

/** The board's RS485 port. */
export class BmsPort implements BusOpener {
  private readonly device: PortDevice;

  constructor(device: PortDevice) {
    this.device = device;
  }

  get storage(): typeof KeyValueStorage | undefined {
    return this.device.storage;
  }

  open({ baud, readMode, gap, mode }: BmsSettings, addresses: readonly number[]): BmsBus {
    const { build, parts, serial } = this.device;
    try {
      const bus = new JkBus({ serial: { io: serial, ...build.pins.bms }, baud, gap, mode, readMode, addresses });
      parts.works("bms");
      return bus;
    } catch (error) {
      parts.failed("bms", error);
      throw error;
    }
  }
}
