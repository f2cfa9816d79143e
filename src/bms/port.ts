import type Serial from "embedded:io/serial";
import { JkBms } from "jk-bms/jk-bms";
import { OverheardFrames } from "jk-bms/overheard";
import { Bus } from "modbus/bus";
import { Station } from "modbus/station";
import { zeroCounters, type BusOptions } from "modbus/types";
import type { BmsSettings } from "../settings/types";
import type { BmsOpener } from "./monitor";

/** What the port needs of the device. */
export interface PortDevice {
  readonly serial: typeof Serial;
  readonly build: { readonly pins: { readonly bms: Omit<BusOptions["serial"], "io"> } };
  /** Learns why the port could not be opened, and that it could after all. */
  readonly parts: { failed(part: "bms", error: unknown): void; works(part: "bms"): void };
}

/** The board's RS485 port, with the BMS on it. */
export class BmsPort implements BmsOpener<JkBms> {
  private readonly device: PortDevice;
  private bus: Bus | undefined;

  constructor(device: PortDevice) {
    this.device = device;
  }

  openBms({ address, baud, readMode, gap, mode }: BmsSettings): JkBms {
    const { build, parts, serial } = this.device;
    try {
      const counters = zeroCounters();
      const overheard = new OverheardFrames(counters);
      const bus = new Bus({ serial: { io: serial, ...build.pins.bms }, baud, gap, mode, counters, ear: overheard });
      this.bus = bus;
      const bms = new JkBms({ station: new Station(bus, address), readMode, overheard });
      parts.works("bms");
      return bms;
    } catch (error) {
      this.closeBus();
      parts.failed("bms", error);
      throw error;
    }
  }

  closeBus(): void {
    this.bus?.close();
    this.bus = undefined;
  }
}
