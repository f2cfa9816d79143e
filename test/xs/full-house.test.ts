/** Six seconds of what a board has to bear; `npm run soak -- --part house` has the hour. */
import { expect, it } from "vitest";
import board from "../../boards/esp32c3/manifest.json";
import { SHORT_DEVICE, WIDE_DEVICE } from "../bench/budget";
import { isLong } from "../support/property";
import { fullHouseOnXs } from "../support/xs/full-house";

const SECONDS = 6;
const TIMEOUT = 600_000;

it.each(isLong ? [false, true] : [true])(
  "a board bears the full house, and hardly anybody is refused, all asking at once: %s",
  async (together) => {
    const { maxPacks } = board.config;
    const { answers, published, replies, snmp } = await fullHouseOnXs(maxPacks, WIDE_DEVICE, SECONDS, { together });
    const [served, refused] = [answers.get(200) ?? 0, answers.get(503) ?? 0];
    expect(served).toBeGreaterThan(SECONDS * 10);
    expect(refused).toBeLessThan(served / (together ? 5 : 10));
    // What nobody asks for goes on.
    expect(published).toBeGreaterThan(SECONDS);
    expect(replies).toBeGreaterThan(SECONDS * 5);
    expect(snmp).toBeGreaterThan(SECONDS);
  },
  TIMEOUT,
);

it(
  "in less memory clients get 503, and the firmware goes on",
  async () => {
    const { answers, published, replies } = await fullHouseOnXs(board.config.maxPacks, SHORT_DEVICE, SECONDS);
    expect(answers.get(503)).toBeGreaterThan(0);
    expect(answers.get(200)).toBeGreaterThan(0);
    expect(published).toBeGreaterThan(SECONDS);
    expect(replies).toBeGreaterThan(SECONDS * 5);
  },
  TIMEOUT,
);
