/** Modbus TCP on XS: units of a request and slots of its clients, on a device that is polled meanwhile. */
import { freePort } from "../../support/free-port";
import { ModbusClient } from "../../support/modbus/modbus-client";
import { System } from "../../support/system/system";
import { Gauge } from "../../support/xs/xs-gauge";
import type { Cell } from "../figures";

/** 802, and 803 with what it has of each pack: the first register and how many there are. */
const BATTERY = 40_072;
const BATTERY_WORDS = 62;
const BANK = 40_163;
const bankWords = (packs: number): number => 28 + 32 * packs;
/** WChaRteMax of 802, which is known once the settings of all packs are. */
const CHARGE_RATE = BATTERY + 2;
const UNKNOWN = 0xffff;
/** Of one request. */
const MOST_WORDS = 125;
/** Turns until nothing of a client is left. */
const RESTED = 50;
const TIMES = 5;
/** Of memory: so many samples, so many turns apart. A poll that is under way takes some slots, too. */
const SAMPLES = 40;
const APART = 25;

export class ModbusOnXs {
  /** Has asked already: what the first request leaves behind is not a client's. */
  first!: ModbusClient;

  private constructor(
    readonly system: System,
    readonly gauge: Gauge,
    private readonly port: number,
  ) {}

  /** Until each of so many packs answers and its settings are loaded; `busyPerRequest`: ms of the script that a request takes. */
  static async start(count = 1, busyPerRequest = count > 1 ? 4 : 0): Promise<ModbusOnXs> {
    const port = await freePort();
    const others = Array.from({ length: count - 1 }, (_, index) => ({ address: index + 2, name: `Pack ${index + 2}` }));
    const packs = count > 1 ? { packs: { first: "Pack 1", further: others } } : {};
    let gauge: Gauge | undefined;
    const system = await System.start({
      engine: "xs",
      unpaced: true,
      ...(count > 1 && { bank: { count, timeFactor: 0 } }),
      board: { busyPerRequest, config: { settings: { modbus: { enabled: true, port }, ...packs } } },
      xs: { onLoaded: (machine) => void (gauge = new Gauge(machine)) },
    });
    await system.untilLoaded();
    const modbus = new ModbusOnXs(system, gauge!, port);
    const client = (modbus.first = await modbus.open());
    let known: number[] = [];
    let rate = UNKNOWN;
    for (let turns = 0; turns < 60_000 && (known[1] !== count || rate === UNKNOWN); turns++) {
      await modbus.turn();
      const reply = await client.read(1, 1_032, 4);
      known = [reply.readInt32BE(0), reply.readInt32BE(4)];
      rate = (await client.read(1, CHARGE_RATE, 1)).readUInt16BE(0);
    }
    if (known.join() !== [count, count].join()) throw new Error(`${known.join(" of ")} packs, not ${count}`);
    if (rate === UNKNOWN) throw new Error(`not all settings of ${count} packs are loaded`);
    await modbus.askOnce(client, count > 1);
    return modbus;
  }

  /** Lets the sockets deliver, and virtual time pass. */
  readonly turn = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    this.system.skip(1);
  };

  async rest(): Promise<void> {
    for (let time = 0; time < RESTED; time++) await this.turn();
  }

  /** Alive between two polls. */
  async memory(): Promise<{ readonly slots: number; readonly chunks: number }> {
    let slots = Infinity;
    let chunks = Infinity;
    for (let sample = 0; sample < SAMPLES; sample++) {
      for (let turn = 0; turn < APART; turn++) await this.turn();
      const { memory } = this.gauge;
      slots = Math.min(slots, memory.slots);
      chunks = Math.min(chunks, memory.chunks);
    }
    return { slots, chunks };
  }

  open(): Promise<ModbusClient> {
    return ModbusClient.open(this.port, { turn: this.turn });
  }

  async closeFirst(): Promise<void> {
    this.first.close();
    await this.rest();
  }

  /** What the first client's requests take: all of 802, and all of 803 with so many packs. */
  async units(packs: number): Promise<{ readonly battery: number; readonly bank: number }> {
    const words = bankWords(packs);
    const battery = await this.least(() => this.first.read(1, BATTERY, BATTERY_WORDS));
    const bank = await this.least(async () => {
      for (let at = 0; at < words; at += MOST_WORDS)
        await this.first.read(1, BANK + at, Math.min(MOST_WORDS, words - at));
    });
    return { battery, bank };
  }

  /** Three clients that have each asked once: for all of 802, or for the first registers of 803, in the midst of it. */
  async three(isBank: boolean): Promise<readonly ModbusClient[]> {
    const clients = [await this.open(), await this.open(), await this.open()];
    for (const client of clients) await this.askOnce(client, isBank);
    return clients;
  }

  private askOnce(client: ModbusClient, isBank: boolean): Promise<unknown> {
    return isBank ? client.read(1, BANK, MOST_WORDS) : client.read(1, BATTERY, BATTERY_WORDS);
  }

  end(): void {
    this.gauge.close();
    this.system.stop();
  }

  /** Of some times. */
  private async least(reading: () => Promise<unknown>): Promise<number> {
    const costs: number[] = [];
    for (let time = 0; time < TIMES; time++) {
      const from = this.gauge.units;
      await reading();
      costs.push(this.gauge.units - from);
    }
    return Math.min(...costs);
  }
}

export const MODBUS_BANKS = [1, 4, 15] as const;

/** `[packs, units of 802, units of 803, slots of three clients, which are in the midst of 803 if there are several packs]` */
export async function modbusCosts(packs: number): Promise<Cell[]> {
  const modbus = await ModbusOnXs.start(packs);
  const { battery, bank } = await modbus.units(packs);
  await modbus.closeFirst();
  const before = await modbus.memory();
  await modbus.three(packs > 1);
  const { slots } = await modbus.memory();
  modbus.end();
  return [packs, battery, bank, slots - before.slots];
}
