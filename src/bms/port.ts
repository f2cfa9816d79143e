import type Serial from "embedded:io/serial";
import type KeyValueStorage from "embedded:storage/key-value";
import { JkBms } from "jk-bms/jk-bms";
import { MAX_BMS_ADDRESS } from "jk-bms/limits";
import { OverheardFrames } from "jk-bms/overheard";
import { PackedBms } from "jk-bms/packed-bms";
import { SharedBms, type SharedBmsOptions } from "jk-bms/shared-bms";
import { Tails } from "jk-bms/tails";
import { Bus } from "modbus/bus";
import { MovingStation } from "modbus/moving-station";
import { Station } from "modbus/station";
import { zeroCounters, type BusOptions } from "modbus/types";
import type { BmsSettings } from "../settings/types";
import type { BmsOpener } from "./monitor";

/** What the port needs of the device. */
export interface PortDevice {
  readonly storage?: typeof KeyValueStorage;
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
  /** The buffers of several packs, or of a search; undefined: there is one pack. */
  private shared: SharedBms | undefined;
  /** Packs of a bank, and how many of them have a place in these buffers; the one behind them is for a search. */
  private packs = 0;
  private places = 0;

  constructor(device: PortDevice) {
    this.device = device;
  }

  get storage(): typeof KeyValueStorage | undefined {
    return this.device.storage;
  }

  openBms({ address, baud, readMode, gap, mode }: BmsSettings, packs = 1): JkBms {
    const { build, parts, serial } = this.device;
    try {
      const counters = zeroCounters();
      const overheard = new OverheardFrames(counters);
      const bus = new Bus({ serial: { io: serial, ...build.pins.bms }, baud, gap, mode, counters, ear: overheard });
      this.bus = bus;
      this.overheard = overheard;
      this.packs = packs > 1 ? packs : 0;
      this.places = 0;
      const tails = new Tails(packs);
      const bms = this.packs
        ? (this.shared = sharedOn(bus, { readMode, tails, packs: packs + 1 }))
        : new JkBms({ station: new Station(bus, address), readMode, tails, overheard });
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
    const pack = new PackedBms(this.shared, address, this.places++);
    this.overheard?.add(pack);
    return pack;
  }

  get heard(): number {
    return this.overheard?.heard ?? 0;
  }

  /** @throws Error while the bus is closed, or without memory for it */
  openProbe(address: number, frames: boolean): PackedBms {
    if (!this.bus) throw new Error("the bus is closed");
    this.shared ??= sharedOn(this.bus, { readMode: "auto", tails: new Tails(), packs: 1 });
    this.shared.begin(this.packs, frames);
    return new PackedBms(this.shared, address, this.packs);
  }

  closeProbes(): void {
    if (this.packs) return;
    this.shared?.close();
    this.shared = undefined;
  }

  closeBus(): void {
    this.shared?.close();
    this.bus?.close();
    this.bus = this.shared = this.overheard = undefined;
  }
}

const sharedOn = (bus: Bus, options: Omit<SharedBmsOptions, "station">): SharedBms =>
  new SharedBms({ station: new MovingStation(bus, MAX_BMS_ADDRESS), ...options });
