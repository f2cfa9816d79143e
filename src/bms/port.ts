import type Serial from "embedded:io/serial";
import { JkBms } from "jk-bms/jk-bms";
import { MAX_BMS_ADDRESS } from "jk-bms/limits";
import { OverheardFrames } from "jk-bms/overheard";
import { PackedBms } from "jk-bms/packed-bms";
import { SharedBms } from "jk-bms/shared-bms";
import { Tails } from "jk-bms/tails";
import { Bus } from "modbus/bus";
import { MovingStation } from "modbus/moving-station";
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

/** The board's RS485 port, with one BMS on it, or several. */
export class BmsPort implements BmsOpener<JkBms> {
  private readonly device: PortDevice;
  private bus: Bus | undefined;
  private overheard: OverheardFrames | undefined;
  /** The buffers of all packs but the first; undefined: there is only that one. */
  private shared: SharedBms | undefined;

  constructor(device: PortDevice) {
    this.device = device;
  }

  openBms({ address, baud, readMode, gap, mode }: BmsSettings, packs = 1): JkBms {
    const { build, parts, serial } = this.device;
    try {
      const counters = zeroCounters();
      const overheard = new OverheardFrames(counters);
      const bus = new Bus({ serial: { io: serial, ...build.pins.bms }, baud, gap, mode, counters, ear: overheard });
      this.bus = bus;
      this.overheard = overheard;
      const tails = new Tails(packs);
      const bms = new JkBms({ station: new Station(bus, address), readMode, tails, overheard });
      if (packs > 1) this.shared = new SharedBms({ station: new MovingStation(bus, MAX_BMS_ADDRESS), readMode, tails });
      parts.works("bms");
      return bms;
    } catch (error) {
      this.closeBus();
      parts.failed("bms", error);
      throw error;
    }
  }

  openPack(address: number): PackedBms {
    if (!this.shared) throw new Error("the bus is closed");
    return new PackedBms(this.shared, address, this.overheard);
  }

  closeBus(): void {
    this.shared?.close();
    this.bus?.close();
    this.bus = this.shared = this.overheard = undefined;
  }
}
