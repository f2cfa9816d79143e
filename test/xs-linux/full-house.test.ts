/** A minute of what a board has to bear, in its memory; HOUSE_SECONDS=3600 is the hour of docs/performance.md. */
import { expect, it } from "vitest";
import board from "../../boards/esp32c3/manifest.json";
import { WIDE_DEVICE } from "../bench/budget";
import { fullHouseOnLinux } from "../support/system/linux-full-house";

const SECONDS = Number(process.env["HOUSE_SECONDS"] ?? 60);
/** Less than a board has: the floor is reached. */
const SHORT = { ...WIDE_DEVICE, slots: 2_912, chunks: 47_104 };
/** The SDK's timers for Linux have a number of 16 bits, and the one numbered 0 never fires: at most one in so many seconds of this load. */
const LOST_TIMER = 900;
const TIMEOUT = 3_600_000;

const { maxPacks } = board.config;

it.each([
  ["the full house", false],
  ["the full house and sixty clients that read nothing", true],
])(
  "a board bears %s",
  async (_, crowded) => {
    const { answers, lost, snmp, published } = await fullHouseOnLinux(maxPacks, WIDE_DEVICE, SECONDS, {
      crowded,
      losesTimers: true,
    });
    const [served, refused] = [answers.get(200) ?? 0, answers.get(503) ?? 0];
    console.log(
      `${SECONDS} s: ${served} served, ${refused} refused, ${lost} closed for others, ${snmp} of SNMP, ${published} of MQTT`,
    );
    expect(answers.get(500) ?? 0).toBeLessThanOrEqual(Math.floor(SECONDS / LOST_TIMER));
    expect(served).toBeGreaterThan(SECONDS * 10);
    expect(refused).toBeLessThan(served / 10);
    expect(published).toBeGreaterThan(SECONDS);
    expect(snmp).toBeGreaterThan(SECONDS);
  },
  TIMEOUT,
);

it(
  "in less memory clients get 503, and the firmware goes on",
  async () => {
    const { answers, published } = await fullHouseOnLinux(maxPacks, SHORT, SECONDS);
    expect(answers.get(503)).toBeGreaterThan(SECONDS);
    expect(answers.get(200)).toBeGreaterThan(0);
    expect(published).toBeGreaterThan(SECONDS);
  },
  TIMEOUT,
);
