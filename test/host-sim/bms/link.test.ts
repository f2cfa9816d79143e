import { describe, expect, it } from "vitest";
import { crcHolds, withCrc } from "../../../host-sim/bms/codec";
import {
  BmsBench,
  bytes,
  hex,
  join,
  long,
  readRequest,
  triggerRequest,
  writeRequest,
} from "../../support/bms/bms-bench";
import { Wire } from "../../../host-sim/wire";
import { capture } from "../../support/bms/captures";

const BYTE = 10_000 / 115_200;

/** Time from the end of a request to the start and the end of what came back. */
function timed(bench: BmsBench, request: Uint8Array): { start: number; end: number } {
  const requestEnd = bench.clock.now + request.length * BYTE;
  const from = bench.heard.length;
  bench.ask(request);
  const [first, last] = [bench.heard[from], bench.heard.at(-1)];
  if (!first || !last) throw new Error("no reply");
  return { start: first.at - BYTE - requestEnd, end: last.at - requestEnd };
}

describe("timing", () => {
  it("replies start after the measured delay", () => {
    for (let seed = 0; seed < 20; seed++) {
      const bench = new BmsBench({ seed });
      const write = timed(bench, writeRequest(0x1078, long(1)));
      expect(write.start).toBeGreaterThanOrEqual(12 - 1e-6);
      expect(write.start).toBeLessThanOrEqual(27 + 1e-6);
      const trigger = timed(bench, triggerRequest(0x1620));
      expect(trigger.start).toBeGreaterThan(10);
      expect(trigger.start).toBeLessThan(12.1);
      expect(trigger.end).toBeGreaterThan(35);
      expect(trigger.end).toBeLessThan(50);
    }
  });

  it("the bytes of a reply are spaced by the baud rate", () => {
    for (const baud of [115_200, 9600]) {
      const bench = new BmsBench({ baud });
      bench.ask(readRequest(0x1200, 60), 500);
      expect(bench.heard).toHaveLength(125);
      const [first, last] = [bench.heard[0], bench.heard.at(-1)] as [{ at: number }, { at: number }];
      expect(last.at - first.at).toBeCloseTo((124 * 10_000) / baud, 6);
    }
  });

  it.each([
    [24.9, 0],
    [25.1, 1],
    [30, 1],
  ])("a request %d ms after the last reply: %d replies", (pause, replies) => {
    const bench = new BmsBench();
    const request = readRequest(0x12a0, 2);
    bench.ask(request, 0);
    while (bench.heard.length < 9) bench.clock.runFor(0.01);
    const replyEnd = bench.heard.at(-1)?.at ?? 0;
    bench.clock.runUntil(replyEnd + pause);
    expect(bench.ask(request)).toHaveLength(9 * replies);
    expect(bench.bms.traffic.outcomes["too-soon"]).toBe(1 - replies);
    expect(bench.ask(request), "served again later").toHaveLength(9);
  });

  it("the turnaround is configurable", () => {
    const bench = new BmsBench({ turnaround: 60 });
    const request = readRequest(0x12a0, 2);
    bench.ask(request, 0);
    while (bench.heard.length < 9) bench.clock.runFor(0.01);
    expect(bench.ask(request, 59)).toHaveLength(0);
  });

  it("a request while a reply is due or being sent is ignored", () => {
    const bench = new BmsBench();
    bench.ask(triggerRequest(0x1620), 5);
    expect(bench.ask(readRequest(0x12a0, 2), 5)).toHaveLength(0);
    bench.clock.runFor(15);
    expect(bench.ask(readRequest(0x12a0, 2), 100).length).toBeLessThan(308);
    // The second one fell into the reply: neither survived.
    expect(bench.heard.length).toBeLessThan(308);
    expect(bench.wire.collisions).toBeGreaterThan(8);
    expect(bench.bms.traffic.outcomes).toMatchObject({ answered: 1, "too-soon": 1, damaged: 0 });
  });
});

describe("framing", () => {
  it("is silent on a bad CRC or a short message", () => {
    const bench = new BmsBench();
    const request = readRequest(0x12a0, 2);
    for (let at = 0; at < request.length; at++) {
      const damaged = Uint8Array.from(request, (byte, index) => (index === at ? byte ^ 0x10 : byte));
      expect(bench.ask(damaged)).toHaveLength(0);
    }
    expect(bench.ask(bytes("01"))).toHaveLength(0);
    expect(bench.ask(bytes("01 03 00"))).toHaveLength(0);
    expect(bench.bms.traffic.outcomes.damaged).toBe(request.length + 2);
    expect(bench.bms.traffic.requests).toBe(0);
  });

  it("1.75 ms of silence end a message: two requests without a gap are invalid", () => {
    const bench = new BmsBench();
    const request = readRequest(0x12a0, 2);
    expect(bench.ask(join(request, request))).toHaveLength(0);
    bench.ask(request.subarray(0, 5), 5 * BYTE + 1.6);
    expect(bench.ask(request.subarray(5))).toHaveLength(9);
    bench.ask(request.subarray(0, 5), 5 * BYTE + 1.9);
    expect(bench.ask(request.subarray(5))).toHaveLength(0);
  });

  it("at 9600 baud 3.5 characters end it", () => {
    const bench = new BmsBench({ baud: 9600 });
    const byte = 10_000 / 9600;
    const request = readRequest(0x12a0, 2);
    bench.ask(request.subarray(0, 5), 5 * byte + 3.4 * byte - byte);
    expect(bench.ask(request.subarray(5))).toHaveLength(9);
    bench.ask(request.subarray(0, 5), 5 * byte + 3.6 * byte);
    expect(bench.ask(request.subarray(5))).toHaveLength(0);
  });

  it("an endless byte stream is not a request, and does no harm", () => {
    const bench = new BmsBench();
    bench.ask(new Uint8Array(3000).fill(1), 400);
    expect(bench.heard).toHaveLength(0);
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(9);
    const tooLong = withCrc([1, 0x41, ...new Uint8Array(600)]);
    expect(bench.ask(tooLong, 200), "too long for a request, though its CRC holds").toHaveLength(0);
    expect(bench.ask(withCrc([1, 0x41, ...new Uint8Array(200)]))).toHaveLength(5);
  });
});

describe("addresses", () => {
  it("answers its own address only", () => {
    const bench = new BmsBench({ address: 15 });
    for (const address of [0, 1, 14, 16, 247, 255]) {
      expect(bench.ask(readRequest(0x12a0, 2, address))).toHaveLength(0);
    }
    expect(bench.ask(readRequest(0x12a0, 2, 15))[0]).toBe(15);
    expect(bench.bms.registers.read("DevAddr")).toBe(15);
    expect(bench.bms.traffic.outcomes).toMatchObject({ foreign: 6, answered: 1 });
  });

  it("address 0 on UART1 answers like any other", () => {
    const bench = new BmsBench({ address: 0, port: "uart1" });
    expect(bench.ask(readRequest(0x12a0, 2, 0), 10_000)[0]).toBe(0);
    expect(bench.heard).toHaveLength(9);
  });

  it("address 0 on UART2 is a bus master: it sends unsolicited frames and answers nothing", () => {
    const bench = new BmsBench({ address: 0 });
    bench.bms.load(capture("phinix-parallel_t01_addr0_master"));
    // Its own two frames and the gaps behind them take 413 ms, each search 221.
    bench.clock.runFor(450);
    for (const address of [0, 1, 2]) bench.ask(triggerRequest(0x161c, address), 221);
    bench.clock.runFor(4400 * 2 - 1200);
    const heard = bench.since(0);
    const text = hex(heard);
    const settings = hex(join(capture("phinix-parallel_t01_addr0_master"), capture("phinix-parallel_ack_161E_addr0")));
    expect(text.split(settings)).toHaveLength(3);
    expect(text.split(hex(capture("phinix-parallel_ack_1620_addr0")))).toHaveLength(3);
    expect(text.split("55 AA EB 90 02")).toHaveLength(3);
    expect(text).not.toContain("55 AA EB 90 03");
    for (let address = 1; address <= 15; address++) {
      expect(text).toContain(hex(triggerRequest(0x1620, address)));
    }
    expect(text).toContain(hex(capture("phinix-parallel_req_1620_addr2")));
    expect(bench.bms.traffic.outcomes).toMatchObject({ answered: 0, master: 1, foreign: 2 });
  });
});

describe("asleep", () => {
  it("FC03 falls silent some time after the last FC16; a trigger wakes it", () => {
    const bench = new BmsBench({ sleepFc03: 5000 });
    const request = readRequest(0x12a0, 2);
    bench.ask(triggerRequest(0x1620), 4900);
    expect(bench.ask(request)).toHaveLength(9);
    bench.clock.runFor(200);
    expect(bench.ask(request)).toHaveLength(0);
    expect(bench.ask(request)).toHaveLength(0);
    expect(bench.ask(triggerRequest(0x161e))).toHaveLength(308);
    expect(bench.ask(request)).toHaveLength(9);
    bench.clock.runFor(6000);
    expect(bench.ask(request)).toHaveLength(0);
    bench.bms.sleepFc03 = undefined;
    expect(bench.ask(request)).toHaveLength(9);
    expect(bench.bms.traffic.outcomes.asleep).toBe(3);
  });

  it("another slave's traffic does not wake it", () => {
    const bench = new BmsBench({ sleepFc03: 1000 });
    bench.clock.runFor(1500);
    bench.ask(triggerRequest(0x1620, 2));
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(0);
  });
});

describe("the cable", () => {
  it("unplugged silences it, while the pack lives on", () => {
    const bench = new BmsBench();
    bench.bms.pack.current = 50;
    bench.bms.setOnline(false);
    const before = bench.bms.pack.charged;
    expect(bench.ask(readRequest(0x12a0, 2), 5000)).toHaveLength(0);
    expect(bench.bms.traffic.requests).toBe(0);
    expect(bench.bms.pack.charged).toBeGreaterThan(before);
    bench.bms.setOnline(true);
    expect(bench.ask(readRequest(0x12a0, 2))).toHaveLength(9);
  });

  it("pulled out cancels the reply that was due", () => {
    const bench = new BmsBench();
    bench.ask(readRequest(0x12a0, 2), 3);
    bench.bms.setOnline(false);
    bench.clock.runFor(100);
    expect(bench.heard).toHaveLength(0);
  });

  it("after close it receives nothing and schedules nothing", () => {
    const bench = new BmsBench();
    bench.bms.close();
    const before = bench.bms.pack.time;
    expect(bench.ask(readRequest(0x12a0, 2), 5000)).toHaveLength(0);
    expect(bench.bms.pack.time).toBe(before);
  });

  it("a second port has its own turnaround", () => {
    const bench = new BmsBench();
    const second = new Wire(bench.clock, { baud: 115_200 });
    const heard: number[] = [];
    second.board.onByte = (byte) => heard.push(byte);
    bench.bms.addPort(second.bms);
    second.board.send(readRequest(0x12a0, 2));
    expect(bench.ask(readRequest(0x12a2, 1))).toHaveLength(7);
    expect(heard).toHaveLength(9);
    expect(crcHolds(Uint8Array.from(heard))).toBe(true);
    expect(bench.bms.traffic.outcomes.answered).toBe(2);
  });
});

describe("the traffic log", () => {
  it("has every read and write by register, including those to others or too early", () => {
    const bench = new BmsBench();
    bench.ask(readRequest(0x12a0, 2));
    bench.ask(writeRequest(0x1070, long(0)), 1);
    bench.ask(writeRequest(0x1604, [0]), 100);
    bench.ask(writeRequest(0x160a, [0], 2));
    bench.ask(withCrc([1, 6, 0x11, 0x14, 0, 0]));
    expect([...bench.bms.traffic.writes]).toEqual([[0x160a, 1]]);
    expect([...bench.bms.traffic.reads]).toEqual([[0x12a0, 1]]);
    const last = bench.bms.traffic.log.at(-1);
    expect(last).toMatchObject({ function: 6, register: 0x1114, outcome: "exception", trigger: false });
    expect(hex(last?.bytes ?? new Uint8Array())).toBe(hex(withCrc([1, 6, 0x11, 0x14, 0, 0])));
  });

  it("keeps the latest 2,000", () => {
    const bench = new BmsBench({ evolving: false });
    for (let count = 0; count < 2010; count++) bench.ask(readRequest(0x12a0, 1 + (count % 2)));
    expect(bench.bms.traffic.log).toHaveLength(2000);
    expect(bench.bms.traffic.requests).toBe(2010);
  });
});
