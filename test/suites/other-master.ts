/** Traffic of a bus, made at random: what must not pass for another master, and what must. */
import { strict as assert } from "node:assert";
import { TriggerTransaction } from "../../modules/jk-bms/trigger";
import { TELEMETRY, SETUP } from "../../modules/jk-bms/types";
import { Bus } from "../../modules/modbus/bus";
import { encodeWrite } from "../support/modbus/encode-write";
import { PDU } from "../../modules/modbus/rtu";
import { Station } from "../../modules/modbus/station";
import { Transaction } from "../../modules/modbus/transaction";
import { SimulatedBoard } from "../../host-sim/board";
import { withCrc } from "../../host-sim/bms/codec";
import { Random } from "../fuzz/random";
import { capture } from "../support/bms/captures";
import { PipeSerial } from "../support/bms/pipe-serial";

const OURS = 1;

const concat = (...parts: Uint8Array[]): Uint8Array => Uint8Array.from(Buffer.concat(parts));
const sealed = (...adu: number[]): Uint8Array => withCrc(adu);

const bytes = (random: Random, count: number): Uint8Array =>
  Uint8Array.from({ length: count }, () => random.below(256));

class Line {
  readonly board = new SimulatedBoard({ console: () => undefined, online: true });
  readonly bus: Bus;
  readonly port: PipeSerial;
  readonly station: Station;
  readonly transaction = new Transaction();
  readonly trigger = new TriggerTransaction();

  constructor(readonly random: Random) {
    this.board.powerOn();
    this.bus = new Bus({ serial: { io: PipeSerial }, baud: 115200, mode: "auto" });
    this.port = PipeSerial.opened;
    this.station = new Station(this.bus, OURS);
    this.board.clock.runFor(1500);
  }

  close(): void {
    this.bus.close();
    this.board.powerOff();
    this.board.clock.stop();
  }

  get sent(): number {
    return this.port.written.length;
  }

  /** One of our own requests, unless one is under way. */
  ask(): void {
    if (this.station.busy) return;
    const { random, transaction } = this;
    const listener = { answered: () => undefined };
    const tries = 1 + random.below(3);
    const kind = random.below(4);
    if (kind === 0) this.station.start(this.trigger.prepareFor(random.below(2) ? TELEMETRY : SETUP), tries, listener);
    else if (kind === 1)
      this.station.start(
        transaction.prepare(encodeWrite(transaction.adu, PDU, 0x1070, bytes(random, 4))),
        tries,
        listener,
      );
    else this.station.start(transaction.read(0x1000 + 2 * random.below(600), 1 + random.below(60)), tries, listener);
  }

  hear(heard: Uint8Array): void {
    this.port.receive(heard);
    this.bus.readable();
  }

  /** Some time, often less than a gap. */
  pass(): void {
    this.board.clock.runFor(1 + this.random.below(this.random.below(4) ? 60 : 600));
  }

  /** What the station answers to our last request. */
  answer(): Uint8Array {
    const request = this.port.written.at(-1) as Uint8Array;
    const [, code, high, low, , quantity] = request as unknown as number[];
    if (code === 3) return sealed(OURS, 3, 2 * quantity!, ...bytes(this.random, 2 * quantity!));
    const acknowledgement = sealed(...request.subarray(0, 6));
    if (high !== 0x16) return acknowledgement;
    return concat(low === 0x20 ? T2 : T1, new Uint8Array(this.random.below(3)), acknowledgement);
  }
}

const T1 = capture("mppsolar-jkpb_t01_addr1_PB2A16S15P_15.10");
const T2 = capture("mppsolar-jkpb_t02_addr1_PB2A16S15P_15.10");

/** Noise, echoes of our own requests, and our replies: whole, torn, damaged and late. None of it is a master. */
export function hearNoMaster(count: number, seed: number): void {
  const random = new Random(seed);
  const line = new Line(random);
  let heard = 0;
  const hear = (some: Uint8Array): void => {
    heard += some.length;
    line.hear(some);
  };
  let sentAt = 0;
  line.port.onWrite = (request) => {
    sentAt = line.board.clock.now;
    // An adapter may swallow the end of an echo, or put noise before it.
    if (random.below(2)) return;
    const echo = request.subarray(0, random.below(3) ? request.length : random.below(12));
    const noisy = concat(bytes(random, random.below(3)), echo);
    heard += noisy.length;
    line.port.receive(noisy);
  };
  while (heard < count) {
    line.ask();
    line.pass();
    // Replies later than this are none.
    if (line.sent && random.below(2) && line.board.clock.now - sentAt < 1500) {
      const answer = line.answer();
      const from = random.below(3) ? 0 : random.below(answer.length);
      const to = random.below(3) ? answer.length : random.below(answer.length);
      if (!random.below(5)) {
        const at = random.below(answer.length);
        answer[at] = (answer[at] as number) ^ (1 << random.below(8));
      }
      hear(answer.subarray(from, Math.max(from, to)));
    }
    if (random.below(2)) hear(bytes(random, random.below(random.below(8) ? 64 : 1000)));
    assert.equal(line.bus.counters.foreign, 0, `another master after ${heard} bytes, seed ${seed}`);
  }
  line.close();
}

const MASTERS: readonly Uint8Array[] = [
  capture("phinix-parallel_req_1620_addr2"),
  concat(capture("phinix-parallel_t02_addr0_master"), capture("phinix-parallel_ack_1620_addr0")),
  concat(capture("phinix-parallel_t01_addr0_master"), capture("phinix-parallel_ack_161E_addr0")),
  capture("trigger_req_161E_addr1"),
  capture("trigger_req_1620_addr1"),
  capture("recon_fc03_1000x100_req"),
  capture("recon_fc03_1114x1_req"),
  capture("recon_fc03_12F0x16_req"),
  capture("wr_balance_on_req"),
  capture("vendor_cellUVP_2830mV_req"),
];

function foreign(random: Random): Uint8Array {
  if (random.below(2)) return MASTERS[random.below(MASTERS.length)] as Uint8Array;
  const [address, register, quantity] = [random.below(248), random.below(256), 1 + random.below(60)];
  if (random.below(2)) return sealed(address, 3, random.below(256), register, 0, quantity);
  return sealed(address, 0x10, random.below(256), register, 0, quantity, 2 * quantity, ...bytes(random, 2 * quantity));
}

/** Another master's transactions, each at some moment of our own, behind noise or not: after each nothing more is sent. */
export function hearMasters(count: number, seed: number): void {
  const random = new Random(seed);
  for (let turn = 0; turn < count; turn++) {
    const line = new Line(random);
    line.ask();
    line.pass();
    if (line.sent && random.below(3)) line.hear(line.answer());
    if (!random.below(4)) line.pass();
    if (!random.below(3)) line.hear(bytes(random, random.below(12)));
    const said = foreign(random);
    const request = line.port.written.at(-1);
    // The echo of our own request looks the same.
    const isLikeOurs = request && Buffer.compare(said, request) === 0;
    if (isLikeOurs) {
      line.close();
      continue;
    }
    line.hear(said);
    const { sent } = line;
    for (let second = 0; second < 3; second++) {
      line.board.clock.runFor(900);
      line.ask();
    }
    assert.deepEqual(
      [line.sent, line.bus.foreign.present],
      [sent, true],
      `missed ${Buffer.from(said).toString("hex")}, turn ${turn} of seed ${seed}`,
    );
    line.close();
  }
}
