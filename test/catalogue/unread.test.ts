/** Every row, read from blocks that were never read: without a byte, and with bytes that mean nothing. Each says that its value is not known. */
import type { BlockImage } from "jk-bms/types";
import { describe, expect, it } from "vitest";
import { alarmBits, faultBits } from "../../src/catalogue/alarms.ts";
import { COMMANDS_TABLE, readLastSwitch, readSwitch } from "../../src/catalogue/commands.ts";
import * as computed from "../../src/catalogue/computed.ts";
import { concernsOf } from "../../src/conditions/judgement.ts";
import { concernsText } from "../../src/conditions/table.ts";
import type { Pack } from "../../src/catalogue/pack.ts";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters.ts";
import { read, readLast } from "../../src/catalogue/read.ts";
import { OUTPUT_TABLE, TELEMETRY_TABLE } from "../../src/catalogue/telemetry.ts";

const BLOCK_BYTES = 293;
const unread = (bytes: number, fill: number): BlockImage => ({
  view: new DataView(new Uint8Array(bytes).fill(fill).buffer),
  littleEndian: false,
  valid: false,
});

const packOf = (block: BlockImage, online: boolean): Pack => ({
  ...{ online, configurationLoaded: false, telemetry: block, setup: block, deviceInfo: block },
});

/** Of several fields, and of them all: names of a pack's values that need no further argument. */
const COMPUTED = (Object.entries(computed) as [string, unknown][]).filter(
  (entry): entry is [string, (pack: Pack) => unknown] =>
    typeof entry[1] === "function" &&
    !["isOnline", "extremesOf", "unknownAlarms", "isSince", "highestOf", "lowestOf", "percent"].includes(entry[0]),
);

describe.each([
  ["no bytes", 0, 0],
  ["zeros", BLOCK_BYTES, 0],
  ["ones", BLOCK_BYTES, 0xff],
  ["nonsense", BLOCK_BYTES, 0x35],
])("%s", (_, bytes, fill) => {
  it.each([true, false])("nothing is known of a pack that is online: %s", (online) => {
    const pack = packOf(unread(bytes, fill), online);
    for (const row of [...TELEMETRY_TABLE, ...OUTPUT_TABLE, ...PARAMETERS_TABLE]) {
      const wanted = row.path === "online" ? online : undefined;
      expect([row.path, read(row, pack)]).toEqual([row.path, wanted]);
      expect([row.path, readLast(row, pack)]).toEqual([row.path, wanted]);
    }
    expect(COMPUTED.length).toBeGreaterThan(25);
    for (const [name, of] of COMPUTED) expect([name, of(pack)]).toEqual([name, undefined]);
    expect([computed.extremesOf(pack), computed.unknownAlarms(pack)]).toEqual([0, ~0]);
    for (const row of COMMANDS_TABLE)
      expect([row.name, readSwitch(row, pack), readLastSwitch(row, pack)]).toEqual([row.name, undefined, undefined]);
    expect([alarmBits(pack), faultBits(pack)]).toEqual([undefined, undefined]);
    expect(concernsText(concernsOf(pack))).toBe("offline");
  });
});
