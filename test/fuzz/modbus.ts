import { freePort } from "../support/free-port";
import { ModbusClient } from "../support/modbus/modbus-client";
import { type System, turn } from "../support/system/system";
import { PATIENCE } from "./http";
import type { Random } from "./random";

const HONEST = "127.0.0.200";
/** Hostile connections, each from an address of its own. */
const ATTACKERS: readonly string[] = ["127.0.0.2", "127.0.0.3"];
/** Frames in one go, and between two requests of the honest client. */
const BURST = 20;
const LOOK = 200;
/** Longer than half a request is kept, virtual ms. */
const HALF = 5_000;
/** Offset of the length in a header. */
const LENGTH = 4;
/** Of the own block: packs, and packs that answer. */
const PACKS = 1_032;
/** Packs of the device that is fuzzed: 803 is read in pieces. */
export const COUNT = 4;
export const PACKS_SETTINGS = {
  first: "Pack 1",
  further: Array.from({ length: COUNT - 1 }, (_, at) => ({ address: at + 2, name: `Pack ${at + 2}` })),
};
/** Beyond the end of the map. */
const REACH = 701;
/** Of the longest frame, behind its header. */
const LONGEST = 253;

/** Mostly frames that begin as they should: the device closes a connection whose next frame cannot be found. */
function hostile(random: Random): Buffer {
  const length = random.once(100) ? 0 : random.once(50) ? LONGEST : random.once(2) ? 5 : 1 + random.below(13);
  const frame = Buffer.concat([random.bytes(7), random.bytes(length)]);
  if (random.once(200)) return frame;
  frame.writeUInt16BE(0, 2);
  frame.writeUInt16BE(random.once(100) ? random.below(400) : length + 1, 4);
  frame[6] = random.of([0, 1, 1, 100 + random.below(17), 126, 255, random.below(256)]);
  if (length) frame[7] = random.of([3, 3, 3, 4, 6, 16, random.below(256)]);
  const register = random.of([40_000, 40_000, 1_000, 0, 50_000]) + random.below(random.once(2) ? REACH : 1);
  if (length > 4) frame.writeUInt32BE(register * 65_536 + random.below(130), 8);
  return frame;
}

/** Hostile clients of Modbus TCP, over real sockets, and an honest one that keeps its connection. */
export class ModbusFuzz {
  honest = 0;
  /** Replies and exceptions that hostile clients were sent. */
  answered = 0;
  private readonly attackers: (ModbusClient | undefined)[] = ATTACKERS.map(() => undefined);

  /** Virtual ms that the honest client has waited. */
  private waited = 0;
  private client!: ModbusClient;

  private constructor(
    private readonly system: System,
    private readonly random: Random,
    private readonly port: number,
  ) {}

  /** Enables Modbus TCP on the device, whose packs must all answer within a minute. */
  static async start(system: System, random: Random): Promise<ModbusFuzz> {
    const port = await freePort();
    const problem = system.probes.configure("modbus", { enabled: true, port, clients: [HONEST, ...ATTACKERS].join() });
    if (problem) throw new Error(problem);
    const fuzz = new ModbusFuzz(system, random, port);
    fuzz.client = await fuzz.connected(HONEST);
    system.skip(60_000);
    await fuzz.look();
    return fuzz;
  }

  async run(count: number): Promise<void> {
    for (let sent = 0; sent < count; sent += BURST) {
      if (sent % LOOK === 0) await this.look();
      const place = this.random.below(ATTACKERS.length);
      let attacker = this.attackers[place];
      if (!attacker || attacker.isClosed) {
        this.leave(place);
        attacker = this.attackers[place] = await this.connected(ATTACKERS[place] as string);
      }
      attacker.send(Buffer.concat(Array.from({ length: BURST }, () => hostile(this.random))));
      // Each is answered once the answer before has been acknowledged; some still wait when the next burst comes.
      for (let time = 0; time < BURST; time++) await this.pass();
      if (this.random.once(10)) this.leave(place);
    }
    await this.look();
  }

  /** Until nothing of theirs is left. */
  async rest(): Promise<void> {
    for (let place = 0; place < ATTACKERS.length; place++) this.leave(place);
    await this.pass();
    this.system.skip(HALF);
    await this.look();
  }

  end(): void {
    this.client.close();
  }

  private leave(place: number): void {
    const attacker = this.attackers[place];
    this.attackers[place] = undefined;
    if (!attacker) return;
    const all = Buffer.concat(attacker.sent.flatMap(({ byDevice, bytes }) => (byDevice ? [bytes] : [])));
    for (let at = 0; at < all.length; at += LENGTH + 2 + all.readUInt16BE(at + LENGTH)) this.answered++;
    attacker.close();
  }

  private async look(): Promise<void> {
    this.honest++;
    this.waited = 0;
    const told = await this.client.read(1, PACKS, 4);
    if (told.readInt32BE(0) !== COUNT || told.readInt32BE(4) !== COUNT)
      throw new Error(`packs: ${told.toString("hex")}`);
  }

  private connected(from: string): Promise<ModbusClient> {
    const wait = async (): Promise<void> => {
      if (this.waited++ > PATIENCE) throw new Error("the honest client was not served");
      await this.pass();
    };
    return ModbusClient.open(this.port, { from, turn: wait });
  }

  /** Lets the sockets deliver, and virtual time pass. */
  private async pass(): Promise<void> {
    await turn();
    this.system.skip(1);
  }
}
