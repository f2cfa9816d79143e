/** Frames of packs at random, some with two wrong bits that their sum does not show: what is shown of them, said and counted. */
import { shapeOf } from "../support/bms/field-shape";
import * as FIELDS from "../../modules/jk-bms/field-table";
import type { Field } from "../../modules/jk-bms/fields";
import { judge, type Doubt } from "../../modules/jk-bms/doubt";
import { Images } from "../../modules/jk-bms/image";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import { DEVICE_INFO, SETUP, TELEMETRY } from "../../modules/jk-bms/types";
import { alarmBits } from "../../src/catalogue/alarms";
import { concernsOf } from "../../src/conditions/judgement";
import { NONE, plus, without, type Conditions } from "../../src/conditions/set";
import { bit } from "../../src/conditions/table";
import { countedPower } from "../../src/catalogue/computed";
import type { Pack } from "../../src/catalogue/pack";
import { Random } from "../fuzz/random";

const BITS = 8 * BLOCK_BYTES;
/** A message of it needs it to last (src/notify/rules.ts), and cells that lie at the limit pass it by themselves. */
const LASTING = bit("spread");
/** Of chemistries: the lowest and the highest voltage of a cell, mV. */
const CHEMISTRIES = [
  [2_500, 3_650],
  [3_000, 4_200],
  [1_500, 2_700],
] as const;

/** A pack whose load jumps, and which now and then has alarms, is cold, empty or full. */
class RandomPack {
  readonly bytes = new Uint8Array(BLOCK_BYTES);
  private readonly view = new DataView(this.bytes.buffer);
  private readonly cells: number;
  private readonly rest: number[];
  private readonly full: number;
  private soc: number;
  private current = 0;
  private alarms = 0;
  private readonly temperature: number;

  constructor(private readonly random: Random) {
    const [low, high] = random.of(CHEMISTRIES);
    this.cells = 8 + random.below(25);
    this.soc = random.below(101);
    this.full = 10_000 + random.below(1_000_000);
    this.rest = Array.from({ length: this.cells }, () => low + ((high - low) * this.soc) / 100 + random.below(40));
    this.temperature = -300 + random.below(900);
    this.set(FIELDS.cellsPresent, this.cells === 32 ? -1 : 2 ** this.cells - 1);
    this.set(FIELDS.fullCapacity, this.full);
    this.set(FIELDS.temperatureSensors, 0xff);
    this.set(FIELDS.chargeMos, 1);
    this.set(FIELDS.dischargeMos, 1);
    this.step();
  }

  private set(field: Field, value: number): void {
    const { offset, length } = shapeOf(field);
    if (length === 1) this.view.setUint8(offset, value);
    else if (length === 2) this.view.setInt16(offset, value, true);
    else this.view.setInt32(offset, value, true);
  }

  /** Half a second later. */
  step(): void {
    const { random } = this;
    if (random.once(20)) this.current = random.below(600_001) - 300_000;
    else if (random.once(3)) this.current = Math.round(this.current * (0.95 + random.below(100) / 1_000));
    if (random.once(40)) this.soc = Math.max(0, Math.min(100, this.soc + (this.current < 0 ? -1 : 1)));
    if (random.once(300)) this.alarms = this.alarms ? 0 : 1 << random.below(29);
    let sum = 0;
    for (let cell = 0; cell < this.cells; cell++) {
      const voltage = Math.max(0, Math.round((this.rest[cell] as number) + this.current / 2_000) + random.below(3));
      this.view.setUint16(2 * cell, voltage, true);
      sum += voltage;
    }
    const voltage = sum + random.below(13) - 6;
    this.set(FIELDS.packVoltage, voltage);
    this.set(FIELDS.packCurrent, this.current);
    this.set(FIELDS.packPower, Math.round(Math.abs(this.current) * (voltage / 1_000)) + random.below(21));
    this.set(FIELDS.soc, this.soc);
    this.set(FIELDS.remainingCapacity, Math.round((this.full * (this.soc + random.below(3) - 1)) / 100));
    this.set(FIELDS.alarmCode, this.alarms);
    for (const probe of [FIELDS.mosfetTemperature, FIELDS.battery1Temperature, FIELDS.battery2Temperature])
      this.set(probe, this.temperature + random.below(3));
  }
}

export interface BitErrors {
  /** Replies that were shown with an alarm or a concern that was not there, or without one that was there in this and the one before. */
  readonly said: number;
  /** Wh, counted less what would be without errors. */
  readonly energy: number;
  /** Replies with wrong bits and the right sum, and of those with a wrong bit in what is compared, how many were doubted. */
  readonly wrong: number;
  readonly doubted: number;
  /** Replies without a wrong bit that were neither shown at once nor when asked again. */
  readonly hindered: number;
}

/** Two wrong bits at random, of which the sum shows nothing in one of some 13 pairs. False: it does. */
function spoil(bytes: Uint8Array, random: Random): boolean {
  const [one, other] = [random.below(BITS), random.below(BITS)];
  const change = (bit: number): number => {
    const before = bytes[bit >> 3] as number;
    bytes[bit >> 3] = before ^ (1 << (bit & 7));
    return (bytes[bit >> 3] as number) - before;
  };
  return ((change(one) + change(other)) & 0xff) === 0;
}

/**
 * @param frames of which `errors` in 1,000 have two wrong bits
 * @param each frames come from one pack, then from another
 */
export function passFrames(frames: number, seed: number, errors = 10, each = 1_000): BitErrors {
  const random = new Random(seed);
  const result = { said: 0, energy: 0, wrong: 0, doubted: 0, hindered: 0 };
  const received = new Uint8Array(BLOCK_BYTES);
  let images = new Images();
  let pack = new RandomPack(random);
  let holder: { doubt: Doubt | undefined } = { doubt: undefined };
  // What would be shown without errors.
  let truth = new Images();
  let known = 0;
  let knownTruth = 0;
  let before = [NONE, NONE];
  let fresh = true;
  /** Half seconds since something was shown last. */
  let passed = 0;
  let isTaken = false;
  const packOf = (of: Images): Pack => ({
    online: true,
    configurationLoaded: false,
    telemetry: of[TELEMETRY],
    setup: of[SETUP],
    deviceInfo: of[DEVICE_INFO],
  });
  let shown = packOf(images);
  let real = packOf(truth);
  /** One reply. @returns whether it is to be asked again */
  const reply = (isLast: boolean): boolean => {
    received.set(pack.bytes);
    const isSpoilt = random.below(1_000) < errors;
    if (isSpoilt) {
      // A reply whose sum is wrong is no reply: it is asked again.
      if (!spoil(received, random)) return reply(isLast);
      result.wrong++;
    }
    images.take(TELEMETRY, 0, received, 0, BLOCK_BYTES);
    images.spare.renewed(true);
    const verdict = judge(images.spare, images[TELEMETRY], true, holder);
    isTaken = verdict === "take";
    if (isTaken) images.publish(TELEMETRY);
    else {
      if (isSpoilt) result.doubted++;
      else if (isLast && !errors) result.hindered++;
    }
    return verdict === "ask";
  };
  for (let frame = 0; frame < frames; frame++) {
    if (frame % each === 0) {
      images = new Images();
      truth = new Images();
      pack = new RandomPack(random);
      holder = { doubt: undefined };
      shown = packOf(images);
      real = packOf(truth);
      fresh = true;
      passed = 0;
    }
    pack.step();
    if (reply(false) && reply(true)) throw new Error("asked a third time");
    passed++;
    if (!isTaken) continue;
    truth.replace(TELEMETRY, true, 0, pack.bytes, 0, BLOCK_BYTES);
    const said = [alarmBits(shown) as unknown as Conditions, without(concernsOf(shown), LASTING)];
    const right = [alarmBits(real) as unknown as Conditions, concernsOf(real)];
    // What the last two replies say, or one of them.
    if (!fresh && said.some((one, at) => without(one, plus(right[at]!, before[at]!)) !== NONE)) result.said++;
    before = right;
    const power = countedPower(shown) ?? 0;
    const truly = countedPower(real) ?? 0;
    // Half a second each, by the trapezoidal rule, as src/energy counts it.
    if (!fresh) result.energy += ((power + known - truly - knownTruth) * passed) / 2 / 1_000 / 7_200;
    passed = 0;
    known = power;
    knownTruth = truly;
    fresh = false;
  }
  return result;
}
