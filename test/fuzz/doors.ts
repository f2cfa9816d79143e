/**
 * `npm run fuzz -- doors`: inputs at the doors of the modules, and what is true beside them. HTTP, SNMP, Modbus TCP and, with a broker, MQTT come in through the whole
 * firmware (main.ts). The device has no parser of its own for DHCP, which is lwIP's, nor for the answers of a name server, which is the SDK's.
 */
import { SimulatedBoard } from "../../host-sim/board";
import { withCrc } from "../../host-sim/bms/codec";
import { hasValidCrc } from "../../modules/modbus/crc";
import { Transaction } from "../../modules/modbus/transaction";
import { sumOf } from "../../modules/jk-bms/agreement";
import { FRAME_PAYLOAD } from "../../modules/jk-bms/frame";
import { JkBus } from "../../modules/jk-bms/jk-bus";
import { BLOCK_BYTES } from "../../modules/jk-bms/limits";
import { DEVICE_INFO, SETUP, type BlockType } from "../../modules/jk-bms/types";
import { countersOf, textOf as countersText } from "../../src/energy/stored-counters";
import { Topics } from "../../src/mqtt/topics";
import { parseQuery } from "../../src/network/mdns/packet";
import { readReply, REQUEST_BYTES, writeRequest } from "../../src/network/sntp/message";
import { accepts, type Field, type Fields, type Values } from "../../src/settings/field";
import { groupOf, textOf } from "../../src/settings/stored-text";
import GROUPS from "../../src/settings/tables";
import { defaultsOf, overlay } from "../../src/settings/values";
import { timeServerAnswer } from "../../host-sim/network/time-server";
import { passFrames } from "../suites/bit-errors";
import { serialOf } from "../support/bms/line";
import { fakeParts } from "../support/fakes/fake-parts";
import { requestsOf } from "../support/mqtt/requests";
import { oldMessage, wrongMessage } from "./clients";
import { spoilt } from "./damage";
import { damaged, json } from "./nasty";
import type { Random } from "./random";

/** What was taken although it is not so. */
type Wrong = number;

/** Telemetry at random, of which one in a hundred has two wrong bits: an alarm or a concern that was not there. */
const telemetry = (count: number, random: Random): Wrong => passFrames(count, random.below(2 ** 31)).said;

/** Settings and device information that another master is answered: one in a hundred has two wrong bits, and the truth changes now and then. */
function blocks(count: number, random: Random): Wrong {
  const board = new SimulatedBoard({ console: () => undefined, online: true });
  board.powerOn();
  const bus = new JkBus({
    serial: serialOf(board),
    baud: 115_200,
    readMode: "frames",
    mode: "listen",
    addresses: [1, 2],
  });
  const [, pack] = bus.links;
  let wrong = 0;
  for (const block of [SETUP, DEVICE_INFO] as const) {
    const right = new Uint8Array(FRAME_PAYLOAD + BLOCK_BYTES + 1 + 8);
    right.set([0x55, 0xaa, 0xeb, 0x90, block, 0]);
    const known = new Set<number>();
    for (let frame = 0; frame < count / 2; frame++) {
      if (frame % 500 === 0) right.set(random.bytes(BLOCK_BYTES), FRAME_PAYLOAD);
      // Its sum is right, since nobody looks at it here: it has been looked at before.
      right[FRAME_PAYLOAD + BLOCK_BYTES] = right.subarray(0, 299).reduce((sum, byte) => sum + byte, 0);
      if (frame % 500 === 0) known.add(sumWithout(block, right));
      const isDamaged = frame > 0 && random.once(100);
      pack!.onForeignFrame(block, isDamaged ? spoilt(right, random) : right, 0);
      const { view } = block === SETUP ? pack!.setup : pack!.deviceInfo;
      if (!known.has(sumWithout(block, new Uint8Array(view.buffer, view.byteOffset, view.byteLength), 0))) wrong++;
    }
  }
  bus.close();
  board.powerOff();
  return wrong;
}

const sumWithout = (block: BlockType, bytes: Uint8Array, at = FRAME_PAYLOAD): number => sumOf(block, bytes, at);

/** What others say, and replies that are damaged, cut or of another length, in place of the reply of a read. */
function replies(count: number, random: Random): Wrong {
  const transaction = new Transaction();
  let wrong = 0;
  for (let reply = 0; reply < count; reply++) {
    const address = random.below(16);
    const quantity = 1 + random.below(40);
    transaction.read(0x1200, quantity).seal(address);
    const from = random.once(3) ? random.below(16) : address;
    const length = random.once(3) ? 2 + 2 * random.below(40) : 2 * quantity;
    const code = random.once(10) ? random.below(256) : 3;
    let bytes: Buffer = Buffer.concat([
      random.bytes(random.below(4)),
      withCrc([from, code, length, ...random.bytes(length)]),
    ]);
    if (random.once(2)) bytes = damaged(random, bytes);
    for (let start = 0; start < bytes.length;) {
      const verdict = transaction.judge(bytes, start, bytes.length, true);
      if (verdict >= 0) {
        const isOurs = bytes[start] === address && [3, 0x83].includes(bytes[start + 1] as number);
        if (!isOurs || !hasValidCrc(bytes, start, start + verdict)) wrong++;
      }
      start += Math.abs(verdict) || 1;
    }
  }
  return wrong;
}

/** Until 2104 a timestamp has one meaning (RFC 4330 section 3). */
const LAST_TIME = 2 ** 32 + 2 ** 31 - 2_208_988_800;

/** Answers of a time server, of this request and of others: a time only of the right one, and the one that it has. */
function times(count: number, random: Random): Wrong {
  const request = new Uint8Array(REQUEST_BYTES);
  let wrong = 0;
  for (let answer = 0; answer < count; answer++) {
    writeRequest(request, random.bytes(8));
    const utc = 1000 * random.below(LAST_TIME);
    const right = Buffer.from(timeServerAnswer(request, utc) as Uint8Array);
    const isOthers = random.once(3);
    if (isOthers) right.set(random.bytes(8), 24);
    const packet = random.once(2) ? damaged(random, right) : random.once(10) ? random.bytes(random.below(100)) : right;
    const read = readReply(packet, request);
    if (typeof read !== "number") continue;
    const isEchoed = packet.subarray(24, 32).equals(Buffer.from(request.subarray(40, 48)));
    if (!isEchoed || !Number.isSafeInteger(read) || (packet === right && Math.abs(read - utc) > 1)) wrong++;
  }
  return wrong;
}

/** Multicast questions and answers: it always ends, and a rival is one that has the device's name. */
function names(count: number, random: Random): Wrong {
  const question = Buffer.from("000000000001000000000000076a6b2d626d7331056c6f63616c0000010001", "hex");
  const answer = Buffer.from(
    "000084000000000100000000076a6b2d626d7331056c6f63616c0000010001000000780004c0000201",
    "hex",
  );
  let wrong = 0;
  for (let packet = 0; packet < count; packet++) {
    const bytes = random.once(10)
      ? random.bytes(random.below(300))
      : damaged(random, random.once(2) ? question : answer);
    const read = parseQuery(bytes, "jk-bms1");
    if (read?.rival && !bytes.toString("latin1").toLowerCase().includes("jk-bms1")) wrong++;
  }
  return wrong;
}

/** Whether every value is one that its row accepts. */
function isAllowed(fields: Readonly<Record<string, Field>>, values: Values): boolean {
  return Object.entries(fields).every(([name, field]) => {
    const value = values[name];
    if (field.kind === "record") return isAllowed(field.fields as Readonly<Record<string, Field>>, value as Values);
    if (field.kind === "list")
      return (value as Values[]).every((item, at) =>
        isAllowed((field.items[at] ?? field.items[0]) as unknown as Readonly<Record<string, Field>>, item),
      );
    // A mask that is refused stays, and is reported.
    return value === field.default || (field.kind === "text" && field.isKept) || accepts(field, value);
  });
}

/** Settings and counters as a storage has them that returns wrong bytes, or those of another version. */
function stored(count: number, random: Random): Wrong {
  const groups = Object.values(GROUPS) as unknown as { version: number; fields: Fields<Values> }[];
  let wrong = 0;
  for (let text = 0; text < count; text++) {
    if (random.once(4)) {
      const [charged, discharged] = [random.below(2 ** 31), random.below(2 ** 31)];
      const bytes = damaged(random, Buffer.from(countersText(charged, discharged)));
      const read = countersOf(bytes.toString("latin1"));
      if (read && !(read.charged >= 0 && read.discharged >= 0)) wrong++;
      continue;
    }
    const { fields, version } = random.of(groups);
    const base = defaultsOf(fields);
    const right = textOf(version, base);
    const bytes = random.once(4)
      ? `{"version":${random.below(4)},"values":${json(random, Object.keys(fields))}}`
      : damaged(random, Buffer.from(right)).toString("latin1");
    const group = groupOf(bytes);
    if (!group) continue;
    const values = overlay(fields, base, group.values, "", () => undefined, true);
    if (!isAllowed(fields as unknown as Readonly<Record<string, Field>>, values)) wrong++;
  }
  return wrong;
}

/** Requests over MQTT that are wrong in themselves, in the middle of those that are right: all of the first are refused, none of the others. */
function requests(count: number, random: Random): Wrong {
  const board = new SimulatedBoard({ console: () => undefined, online: true });
  board.powerOn();
  const { accepted, pack, requests: door, writes } = requestsOf();
  const parts = fakeParts();
  const topics = new Topics(parts.network, parts.settings);
  const base = topics.request.slice(0, -"request".length);
  let wrong = 0;
  const give = (topic: string, payload: string, isRetained: boolean): string | undefined => {
    const target = topics.target(base + topic);
    if (!target) return undefined;
    const before = accepted();
    door.receive(target, new TextEncoder().encode(payload), isRetained);
    const status = door.result?.status;
    while (!door.ready) door.sent();
    if (accepted() !== before) writes.abandon(pack);
    return status;
  };
  for (let given = 0; given < count; given++) {
    const isOld = random.once(10);
    const { topic, payload } = isOld ? oldMessage(random) : wrongMessage(random);
    // Here the relay is switched by hand.
    const status = topic === "relay/set" ? "refused" : give(topic, payload, isOld);
    if (status !== undefined && status !== "refused") wrong++;
    if (random.once(100) && give("setting/cell_ovp_voltage/set", "3.65", false) !== "accepted") wrong++;
  }
  board.powerOff();
  return wrong;
}

/** Name, its share of the inputs in hundredths, and what was taken wrongly of so many. */
export const DOORS: readonly (readonly [name: string, share: number, run: (count: number, random: Random) => Wrong])[] =
  [
    ["frames of telemetry", 25, telemetry],
    ["frames of settings and device information", 10, blocks],
    ["replies of registers", 15, replies],
    ["answers of a time server", 20, times],
    ["multicast DNS", 10, names],
    ["stored settings and counters", 10, stored],
    ["requests over MQTT", 10, requests],
  ];
