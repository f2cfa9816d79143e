/**
 * A minute of what a board has to bear, in its memory. HOUSE_SECONDS=600 HOUSE_RUNS=6 is the hour of docs/performance.md: in one run the SDK's
 * timers for Linux would come to the number 0 of their 16 bits, lose that one, and free it twice.
 */
import { expect, it } from "vitest";
import board from "../../boards/esp32c3/manifest.json";
import { SHORT_DEVICE, WIDE_DEVICE } from "../bench/budget";
import type { Load } from "../suites/full-house";
import { fullHouseOnLinux } from "../support/system/linux-full-house";

const SECONDS = Number(process.env["HOUSE_SECONDS"] ?? 60);
const RUNS = Number(process.env["HOUSE_RUNS"] ?? 1);
const TIMEOUT = 3_600_000;

const { maxPacks } = board.config;

const LOADS = Array.from({ length: RUNS }, (_, at) => at + 1).flatMap((seed): [string, Load][] => [
  ["the full house", { seed }],
  ["the full house, all asking at once for the same", { seed, together: true }],
  ["the full house and sixty clients that read nothing", { seed, crowded: true }],
]);

it.each(LOADS)(
  "a board bears %s, %o",
  async (_, load) => {
    const { answers, lost, snmp, published } = await fullHouseOnLinux(maxPacks, WIDE_DEVICE, SECONDS, load);
    const [served, refused] = [answers.get(200) ?? 0, answers.get(503) ?? 0];
    console.log(
      `${SECONDS} s: ${served} served, ${refused} refused, ${lost} closed for others, ${snmp} of SNMP, ${published} of MQTT`,
    );
    expect(served).toBeGreaterThan(SECONDS * 10);
    expect(refused).toBeLessThan(served / (load.together ? 5 : 10));
    expect(published).toBeGreaterThan(SECONDS);
    expect(snmp).toBeGreaterThan(SECONDS);
  },
  TIMEOUT,
);

it(
  "in less memory clients get 503, and the firmware goes on",
  async () => {
    const { answers, published } = await fullHouseOnLinux(maxPacks, SHORT_DEVICE, SECONDS);
    expect(answers.get(503)).toBeGreaterThan(0);
    expect(answers.get(200)).toBeGreaterThan(0);
    expect(published).toBeGreaterThan(SECONDS);
  },
  TIMEOUT,
);
