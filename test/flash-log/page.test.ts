import { PAYLOAD } from "flash-log/layout";
import { Page } from "flash-log/page";
import { Ring } from "flash-log/ring";
import { beforeEach, expect, it } from "vitest";
import { NorFlash } from "../../host-sim/nor-flash";

const SIZE = 200;
let ring: Ring;
beforeEach(() => (ring = new Ring({ flash: new NorFlash(5), first: 0, sectors: 5, payload: SIZE, kind: 1 })));

function append(time: number | undefined, first = 1): void {
  const record = new Uint8Array(ring.recordBytes);
  record[PAYLOAD] = first;
  ring.append(record, time);
}

interface Asked {
  readonly from?: number;
  readonly to?: number;
  readonly size?: number;
  readonly first?: number;
}
function ask({ from = 0, to = 1e9, size = 10, first }: Asked): {
  times: (number | undefined)[];
  next: number | undefined;
} {
  const page = new Page({ ring, from, to, size, first });
  while (page.look(7));
  const record = new Uint8Array(ring.recordBytes);
  return { times: Array.from({ length: page.count }, (_, index) => page.read(record, index)), next: page.next };
}

it("has the oldest first, over several sectors", () => {
  for (let time = 0; time < 45; time++) append(time);
  expect(ask({})).toEqual({ times: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], next: 10 });
  expect(ask({ from: 38 })).toEqual({ times: [38, 39, 40, 41, 42, 43, 44], next: undefined });
  expect(ask({ from: 3, to: 4 })).toEqual({ times: [3, 4], next: undefined });
});

it("reaches each record once although the clock went back and forward", () => {
  const written = [50, 60, 70, 10, 20, 90, 55, 5, 65, 15, 99, 1, 51, 52];
  for (const time of written) append(time);
  for (let size = 1; size < 16; size++) {
    const read: (number | undefined)[] = [];
    for (let from: number | undefined = 0; from !== undefined;) {
      const { times, next } = ask({ from, size });
      read.push(...times);
      from = next;
    }
    expect(read, `pages of ${size}`).toEqual([...written].sort((one, other) => one - other));
  }
});

it("splits no records of one time, unless they fill a page", () => {
  for (const time of [1, 2, 3, 3, 3, 4]) append(time);
  expect(ask({ size: 4 })).toEqual({ times: [1, 2], next: 3 });
  expect(ask({ from: 3, size: 4 })).toEqual({ times: [3, 3, 3, 4], next: undefined });
  expect(ask({ from: 3, size: 2 })).toEqual({ times: [3, 3], next: 4 });
});

it("has no records without a time, or of another first byte", () => {
  append(undefined);
  append(1, 2);
  append(2, 3);
  expect(ask({ first: 3 })).toEqual({ times: [2], next: undefined });
  expect(ask({})).toEqual({ times: [1, 2], next: undefined });
});

it("leaves out what was erased meanwhile", () => {
  append(1);
  const page = new Page({ ring, from: 0, to: 9, size: 3 });
  while (page.look(7));
  ring.discard();
  while (ring.sweep());
  expect(page.read(new Uint8Array(ring.recordBytes), 0)).toBeUndefined();
});

it("of an empty ring is empty", () => {
  expect(ask({})).toEqual({ times: [], next: undefined });
});
