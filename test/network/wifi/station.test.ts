import { beforeEach, describe, expect, it } from "vitest";
import { JOIN_TIMEOUT, MAX_BACK_OFF, MIN_BACK_OFF, STABLE_AFTER } from "../../../src/network/limits";
import { LINK, Station, type Link, type StationRadio, type WiFiChoice } from "../../../src/network/wifi/station";

const SECOND = 1_000;
const DAY = 86_400 * SECOND;

/** A radio that the test is the air of. */
class TestRadio implements StationRadio {
  link: Link = LINK.down;
  rejected = false;
  scanning = false;
  seen = false;
  refuses = false;
  joins: number[] = [];
  left = 0;
  looks = 0;

  join({ ssid }: WiFiChoice): boolean {
    if (ssid !== "Home") throw new Error(`joins ${ssid}`);
    this.joins.push(now);
    this.rejected = false;
    if (!this.refuses) this.link = LINK.connecting;
    return !this.refuses;
  }

  leave(): void {
    this.left++;
    this.link = LINK.down;
  }

  scan(at: number, { ssid }: WiFiChoice): boolean {
    if (at !== (now | 0) || ssid !== "Home") throw new Error(`at ${at} looks for ${ssid}`);
    this.looks++;
    this.scanning = true;
    return true;
  }
}

let radio: TestRadio;
let station: Station;
/** True time; the station is told it as ticks. */
let now: number;

beforeEach(() => {
  radio = new TestRadio();
  station = new Station(radio, { network: { ssid: "Home", password: "", bssid: "" } });
  now = 0;
});

const step = (wanted = true): void => station.step(now | 0, wanted);
const pass = (ms: number, each: () => void = () => undefined, interval = SECOND): void => {
  for (const end = now + ms; now < end;) {
    now = Math.min(now + interval, end);
    each();
    step();
  }
};

function join(): void {
  step();
  radio.link = LINK.online;
  step();
}

describe("the station", () => {
  it("does nothing while it is disabled", () => {
    for (; now < 10 * SECOND; now += SECOND) step(false);
    expect([station.state, radio.joins, radio.left]).toEqual(["off", [], 0]);
  });

  it("joins at once, and is online when it has an address", () => {
    step();
    expect([station.state, radio.joins]).toEqual(["joining", [0]]);
    radio.link = LINK.linked;
    pass(5 * SECOND);
    expect(station.online).toBe(false);
    radio.link = LINK.online;
    step();
    expect([station.online, station.reason, radio.left]).toEqual([true, "", 0]);
  });

  it("reports a wrong password, and makes the platform forget it", () => {
    step();
    radio.link = LINK.down;
    radio.rejected = true;
    step();
    expect([station.state, station.reason, radio.left, radio.looks]).toEqual(["waiting", "wrong-password", 1, 0]);
  });

  it.each([
    [false, "not-found"],
    [true, "timeout"],
  ])("scans when it was rejected without a reason: seen %s, %s", (seen, reason) => {
    step();
    radio.link = LINK.down;
    step();
    expect([station.state, station.reason]).toEqual(["scanning", ""]);
    pass(2 * SECOND);
    expect(station.state).toBe("scanning");
    radio.scanning = false;
    radio.seen = seen;
    step();
    expect([station.state, station.reason]).toEqual(["waiting", reason]);
  });

  it.each([LINK.connecting, LINK.linked])("gives up an attempt stuck at link %i", (link) => {
    step();
    radio.link = link;
    pass(JOIN_TIMEOUT - 1);
    expect(station.state).toBe("joining");
    pass(1);
    expect([station.state, station.reason, radio.left]).toEqual(["waiting", "timeout", 1]);
  });

  it("retries forever, after 1, 2, 4 … 60 s, and keeps the last reason meanwhile", () => {
    pass(10 * 60 * SECOND, () => {
      if (station.state !== "joining") return;
      radio.link = LINK.down;
      radio.rejected = true;
    });
    const pauses = radio.joins.slice(1).map((at, n) => at - (radio.joins[n] as number) - SECOND);
    expect(pauses.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((seconds) => seconds * SECOND));
    expect(station.reason).toBe("wrong-password");
  });

  it("retries for months without a gap", () => {
    now = 2 ** 31 - 10 * DAY;
    let last = now;
    let longest = 0;
    pass(
      120 * DAY,
      () => {
        if (station.state === "joining") radio.link = LINK.down;
        radio.scanning = false;
        const at = radio.joins.pop();
        if (at === undefined) return;
        longest = Math.max(longest, at - last);
        last = at;
      },
      20 * SECOND,
    );
    expect(longest).toBeGreaterThanOrEqual(MAX_BACK_OFF);
    expect(longest).toBeLessThanOrEqual(MAX_BACK_OFF + 60 * SECOND);
    expect(now - last).toBeLessThanOrEqual(MAX_BACK_OFF + 60 * SECOND);
  });

  it("restarts with the shortest pause after a long connection, but not after a short one", () => {
    join();
    pass(STABLE_AFTER);
    radio.link = LINK.down;
    pass(MIN_BACK_OFF);
    expect(station.state).toBe("waiting");
    pass(MIN_BACK_OFF);
    expect([station.state, radio.joins.length]).toEqual(["joining", 2]);

    radio.link = LINK.online;
    step();
    pass(STABLE_AFTER - 1);
    radio.link = LINK.down;
    step();
    pass(2 * MIN_BACK_OFF - 1);
    expect(station.state).toBe("waiting");
    pass(1);
    expect(station.state).toBe("joining");
  });

  it("waits for a lost address before it joins again", () => {
    join();
    radio.link = LINK.linked;
    step();
    expect([station.state, radio.joins.length]).toEqual(["joining", 1]);
    radio.link = LINK.online;
    step();
    expect(station.online).toBe(true);
  });

  it("stays connected for longer than the ticks can count", () => {
    join();
    pass(60 * DAY, undefined, 600 * SECOND);
    expect([station.state, radio.left]).toEqual(["online", 0]);
  });

  it("leaves when disabled, and starts over", () => {
    step();
    radio.link = LINK.down;
    radio.rejected = true;
    step();
    step(false);
    expect([station.state, station.reason]).toEqual(["off", ""]);
    step();
    expect(station.state).toBe("joining");
  });

  it("joins another network after a short pause: the end of the old one is reported late", () => {
    join();
    station.restart(now);
    expect([station.state, radio.left]).toEqual(["waiting", 1]);
    step();
    expect(station.state).toBe("waiting");
    pass(MIN_BACK_OFF);
    expect(station.state).toBe("joining");
    step(false);
    station.restart(now);
    expect(station.state).toBe("off");
  });

  it("waits for the end of a scan started elsewhere", () => {
    radio.scanning = true;
    pass(5 * SECOND);
    expect(radio.joins).toEqual([]);
    radio.scanning = false;
    step();
    expect(radio.joins).toHaveLength(1);
  });

  it("retries later when the radio refuses", () => {
    radio.refuses = true;
    step();
    expect([station.state, station.reason]).toEqual(["waiting", "timeout"]);
    pass(7 * SECOND);
    expect(radio.joins.map((at) => at / SECOND)).toEqual([0, 1, 3, 7]);
  });
});
