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
  /** The buffers of all packs but the first, or of a search; undefined: there is only that one. */
  private shared: SharedBms | undefined;
  private isBank = false;

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
      this.isBank = packs > 1;
      if (this.isBank) this.shared = sharedOn(bus, tails, readMode);
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

  get heard(): number {
    return this.overheard?.heard ?? 0;
  }

  /** @throws Error while the bus is closed, or without memory for it */
  openProbe(address: number, frames: boolean): PackedBms {
    if (!this.bus) throw new Error("the bus is closed");
    this.shared ??= sharedOn(this.bus, new Tails(), "auto");
    const probe = new PackedBms(this.shared, address);
    probe.choice = frames ? 1 : 0;
    return probe;
  }

  closeProbes(): void {
    if (this.isBank) return;
    this.shared?.close();
    this.shared = undefined;
  }

  closeBus(): void {
    this.shared?.close();
    this.bus?.close();
    this.bus = this.shared = this.overheard = undefined;
  }
}

const sharedOn = (bus: Bus, tails: Tails, readMode: BmsSettings["readMode"]): SharedBms =>
  new SharedBms({ station: new MovingStation(bus, MAX_BMS_ADDRESS), readMode, tails });
