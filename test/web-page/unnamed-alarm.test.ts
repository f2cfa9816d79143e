/** An alarm bit that has no row: the device calls it an alarm, and the page has no name for it. */
import { describe, expect, it } from "vitest";
import { bankLines, bankVerdict } from "../../web/bank";
import type { BankDocument } from "../../web/documents";
import { lines, sentence } from "../../web/sentence";
import { en } from "../../web/texts/en";
import { judge, type State } from "../../web/verdict";
import { bms, queue, status } from "../support/web/web-mock-data";

const UNNAMED = 1 << 30;
const LOST = { connected: true, foreign: false, failed: new Set<string>(), old: false };

describe("of one pack", () => {
  const state = (code: number): State => ({
    ...LOST,
    documents: {
      status: {
        data: { ...status(), alarmCode: code },
        bms: { ...bms(), well: !code, concerns: code ? ["alarm"] : [] },
      },
      queue: queue(),
    },
  });

  it("is not well, and says so", () => {
    expect(judge(state(0)).well).toBe(true);
    const verdict = judge(state(UNNAMED));
    expect(verdict.well).toBe(false);
    expect(lines(verdict, en)).toEqual([en.concerns.alarm]);
    const seen = { status: { ...status(), alarmCode: UNNAMED }, verdict, silent: false, seenAt: 0, now: 0 };
    expect(sentence(seen, "en", en)).toEqual({ tone: "warn", text: en.concerns.alarm });
  });

  it("beside one that has a name is not said", () => {
    const verdict = judge(state(UNNAMED | (1 << 11)));
    expect(lines(verdict, en)).toEqual([en.alarms.cell_undervoltage.title]);
  });
});

it.each([0, 1, 2])("of pack %i of three it is said with its name", (index) => {
  const packs = [1, 2, 3].map((address, at) => ({
    ...{ address, name: `Pack ${address}`, online: true, alarmCode: at === index ? UNNAMED : 0 },
    concerns: at === index ? ["alarm"] : [],
  }));
  const bank = { packs: 3, online: 3, well: false, concerns: ["alarm"], soc: 50 };
  const document = { bank, packs } as unknown as BankDocument;
  expect(bankLines(document, en)).toEqual([`Pack ${index + 1}: ${en.concerns.alarm}`]);
  expect(bankVerdict({ ...LOST, documents: {} }, document).well).toBe(false);
});
