/** Settings that nobody changes, read without pause on a bad line: none may be told as changed, and nothing may differ from what was right. */
import { DEVICE_INFO, SETUP } from "jk-bms/types";
import { bankOf } from "../../host-sim/bms/packs";
import type { WirePort } from "../../host-sim/wire";
import { SimulatedBoard } from "../../host-sim/board";
import { BmsMonitor } from "../../src/bms/monitor";
import { References } from "../../src/packs/references";
import type { PackIdentity } from "../../src/packs/types";
import type { BmsSettings } from "../../src/settings/types";
import { Random } from "../fuzz/random";
import { BANK_SETTINGS } from "../support/bms/bank-writes";
import { loseReplies } from "../support/bms/lossy-port";
import { PackOnLine } from "../support/bms/pack-on-line";
import { FaultyStorage } from "../support/fakes/storage";

const SECOND = 1_000;
/** Of so many frames one has two wrong bits that leave its sum right. */
const UNNOTICED = 50;
const FRAME = 299;
/** The packs are known before replies are lost. */
const START = 60;

/** The same bit of two bytes, set in one and not in the other: a frame's sum does not show it. */
function damageFrames(port: WirePort, random: Random): void {
  const send = port.send.bind(port);
  port.send = (bytes) => {
    const at = random.below(FRAME);
    const other = random.below(FRAME);
    const bit = 1 << random.below(8);
    const damaged = Uint8Array.from(bytes);
    if (bytes.length > FRAME && random.once(UNNOTICED) && (bytes[at]! ^ bytes[other]!) & bit) {
      damaged[at]! ^= bit;
      damaged[other]! ^= bit;
    }
    send(damaged);
  };
}

export interface FalseChanges {
  /** Blocks with settings that were read, or could not be. */
  readonly reads: number;
  /** Names. */
  readonly told: readonly string[];
  readonly differing: number;
}

/** @param lost % of the replies: half do not come, the others have a wrong bit; beside frames that are wrong without a sign */
export function changesOnBadLine(
  reads: number,
  count: number,
  lost: number,
  seed: number,
  readMode: BmsSettings["readMode"],
): FalseChanges {
  const board = new SimulatedBoard({ console: () => undefined, online: true });
  board.powerOn();
  const { clock, wire } = board;
  const bank = bankOf({ clock, wire, count, seed, evolving: false });
  const settings = { ...BANK_SETTINGS, readMode };
  let packs: PackIdentity[] = bank.packs.map((_, at) => ({ address: at + 1, name: "", serial: "" }));
  const monitor = new BmsMonitor({ settings, opener: new PackOnLine(board), packs });
  const references = new References({ monitor, storage: new FaultyStorage(board), uptime: () => monitor.uptime });
  const told: string[] = [];
  monitor.observe(references);
  monitor.observe({
    packSettingChanged: ({ name }) => void told.push(name),
    packIdentified: ({ identifier, index }) => {
      packs = packs.map((known, at) => (at === index ? { ...known, serial: identifier } : known));
      monitor.reconfigure(settings, packs);
    },
  });
  let seen = 0;
  for (const pack of monitor.packs) {
    const ended = pack.blockEnded.bind(pack);
    pack.blockEnded = (...parameters) => {
      seen++;
      ended(...parameters);
    };
  }
  monitor.start();
  clock.runFor(START * SECOND);
  const random = new Random(seed);
  for (const port of wire.ports) {
    if (port === wire.board) continue;
    damageFrames(port, random);
    loseReplies(port, random, () => 10 * lost);
  }
  while (seen < reads) {
    for (const { slow } of monitor.packs) {
      slow.request(SETUP);
      slow.request(DEVICE_INFO);
    }
    clock.runFor(SECOND);
  }
  const differing = monitor.packs.reduce((sum, pack) => sum + (references.differences(pack)?.length ?? 0), 0);
  monitor.close();
  bank.close();
  board.powerOff();
  clock.stop();
  return { reads: seen, told, differing };
}
