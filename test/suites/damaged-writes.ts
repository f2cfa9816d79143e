/** Writes of a switch while one of their frames has two wrong bits that its sum does not show: what the BMS holds afterwards, and what is said of it. */
import { isFrame, payloadBit, spoilt } from "../fuzz/damage";
import { Random } from "../fuzz/random";
import { FRAME_PAYLOAD } from "../../modules/jk-bms/frame";
import { JkBus } from "../../modules/jk-bms/jk-bus";
import { FakeBms } from "../support/bms/fake-bms";
import { lineBoard, serialOf } from "../support/bms/line";

const WORD = 0x1114;
const WORD_AT = FRAME_PAYLOAD + (WORD - 0x1000);
const TIMEOUT = 4_500;
const NAMES = ["display_always_on", "temperature_sensors_disabled"] as const;
const MASKS = { display_always_on: 1 << 4, temperature_sensors_disabled: 1 << 1 } as const;
/** A write takes two frames before it and one behind, more if one is wrong; the one that is damaged may be beyond them. */
const FRAMES = 5;

/** Every other time one of the two wrong bits is in the word of the switches. */
const switchBit = (random: Random): number => (random.once(2) ? 8 * WORD_AT + random.below(16) : payloadBit(random));

export interface DamagedWrites {
  /** Writes after which another bit than the requested one was not as before. */
  readonly foreign: number;
  /** Writes after which the requested bit was not as asked. */
  readonly missed: number;
  /** Confirmed although the word is not what was asked for. */
  readonly falsely: number;
  readonly confirmed: number;
  /** Frames with wrong bits that were sent. */
  readonly damaged: number;
}

/** @param baud 115,200 or 9,600 */
export function writeDamaged(writes: number, seed: number, baud = 115_200): DamagedWrites {
  const random = new Random(seed);
  const board = lineBoard({ baud });
  const { clock } = board;
  const fake = new FakeBms(board);
  const bus = new JkBus({ serial: serialOf(board), baud, readMode: "frames", mode: "poll", addresses: [1] });
  const [bms] = bus.links;
  const result = { foreign: 0, missed: 0, falsely: 0, confirmed: 0, damaged: 0 };
  let until = 0;
  fake.instead = (_request, usual) => {
    if (!usual || !isFrame(usual) || until-- !== 0) return undefined;
    result.damaged++;
    return spoilt(usual, random, switchBit);
  };
  for (let write = 0; write < writes; write++) {
    const name = random.of(NAMES);
    const value = random.below(2);
    const before = random.below(0x10000);
    fake.setWord(WORD, before);
    fake.requests.length = 0;
    until = random.below(FRAMES);
    let outcome = "";
    bms?.write(name, value, TIMEOUT, (ended) => (outcome = ended.outcome));
    while (!outcome) clock.runFor(50);
    const after = fake.word(WORD);
    const mask = MASKS[name];
    if ((after ^ before) & ~mask) result.foreign++;
    const isMissed = ((after & mask) !== 0) !== (value === 1);
    if (isMissed) result.missed++;
    if (outcome === "confirmed") {
      result.confirmed++;
      if (isMissed || (after ^ before) & ~mask) result.falsely++;
    }
  }
  bus.close();
  return result;
}
