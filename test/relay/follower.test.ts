import type { FakePack } from "../support/fakes/fake-monitor";
import * as FIELDS from "jk-bms/field-table";
import { expect, it, vi } from "vitest";
import { SWAPPED } from "../../src/conditions/rows";
import type { PackRecord } from "../../src/packs/pack-record";
import { RelayFollower, type FollowingDevice } from "../../src/relay/follower";
import { ALL_PACKS } from "../../src/settings/limits";
import { fakeParts } from "../support/fakes/fake-parts";

const update = (follower: RelayFollower, pack: unknown): void => follower.packUpdated(pack as PackRecord);
const follows = (pack = ALL_PACKS) => ({ relay: { pack } });

it("lets the relay follow the pack, and tries again what the platform refused it", () => {
  const { monitor } = fakeParts();
  const relay = { evaluate: vi.fn(), lacks: false };
  const parts = { begin: vi.fn() };
  const follower = new RelayFollower({ monitor, relay, parts, settings: follows() } as unknown as FollowingDevice);
  update(follower, monitor.pack);
  follower.packOnlineChanged();
  expect(relay.evaluate.mock.calls).toEqual([[follower], [follower]]);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55 });
  expect(parts.begin).not.toHaveBeenCalled();
  relay.lacks = true;
  follower.packOnlineChanged();
  update(follower, monitor.pack);
  expect(parts.begin.mock.calls).toEqual([["relay"], ["relay"]]);
});

it("lets it follow the bank of several packs: once a round, and at once on a fault", () => {
  const { monitor } = fakeParts();
  const first = monitor.pack;
  const [second, third] = [1, 2].map((index) => Object.assign(fakeParts().monitor.pack, { index })) as [
    FakePack,
    FakePack,
  ];
  Object.assign(monitor, { packs: [first, second, third] });
  const relay = { evaluate: vi.fn(), lacks: false };
  const follower = new RelayFollower({
    ...{ monitor, relay, parts: { begin: vi.fn() } },
    settings: follows(),
  } as unknown as FollowingDevice);
  for (const pack of [first, second, third]) update(follower, pack);
  expect(relay.evaluate).toHaveBeenCalledTimes(1);
  third.telemetry.set(FIELDS.alarmCode, 1);
  first.telemetry.set(FIELDS.alarmCode, 0);
  update(follower, first);
  expect(relay.evaluate).toHaveBeenCalledTimes(2);
  for (const pack of [second, third]) update(follower, pack);
  // Of the third at once.
  expect(relay.evaluate).toHaveBeenCalledTimes(3);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55, alarmCode: 1 });
  // The first is silent: a round begins with the second, before it counts as offline.
  update(follower, second);
  expect(relay.evaluate).toHaveBeenCalledTimes(4);
  first.online = false;
  follower.packOnlineChanged();
  expect(relay.evaluate).toHaveBeenCalledTimes(5);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: NaN, alarmCode: 1 });
});

it("lets it follow the only pack as it is: a capacity that is not known hides no charge", () => {
  const { monitor } = fakeParts();
  monitor.pack.setup.set(FIELDS.capacity, 0);
  const device = { monitor, relay: {}, parts: {}, settings: follows() };
  const follower = new RelayFollower(device as unknown as FollowingDevice);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55 });
});

it.each([0, 1, 2])(
  "by fault it has the conditions of pack %i of three, alone too; by alarm only what the BMS reports",
  (at) => {
    const packs = [1, 2, 3].map((address, index) =>
      Object.assign(fakeParts().monitor.pack, { index, identity: { address, name: "", serial: "" } }),
    );
    for (const { telemetry } of packs) telemetry.set(FIELDS.alarmCode, 0);
    const relay = { pack: ALL_PACKS, source: "fault" };
    const conditions = { presentOf: (index: number) => (index === at ? SWAPPED : 0) };
    const device = { monitor: { packs }, relay: {}, parts: {}, settings: { relay }, conditions };
    const follower = new RelayFollower(device as unknown as FollowingDevice);
    expect(follower.relayTelemetry()).toMatchObject({ online: true, alarmCode: SWAPPED, soc: 55 });
    for (const address of [1, 2, 3]) {
      relay.pack = address;
      expect(follower.relayTelemetry().alarmCode).toBe(address === at + 1 ? SWAPPED : 0);
    }
    relay.source = "alarm";
    for (const pack of [ALL_PACKS, at + 1]) {
      relay.pack = pack;
      expect(follower.relayTelemetry().alarmCode).toBe(0);
    }
    device.monitor.packs = [packs[at]!];
    Object.assign(relay, { pack: ALL_PACKS, source: "fault" });
    expect(follower.relayTelemetry().alarmCode).toBe(SWAPPED);
  },
);

it("lets it follow one of several packs, as if it were alone; one that is no longer there is offline", () => {
  const packs = [1, 2, 3].map((address) =>
    Object.assign(fakeParts().monitor.pack, { identity: { address, name: "", serial: "" } }),
  );
  const [, second, third] = packs as [(typeof packs)[0], (typeof packs)[0], (typeof packs)[0]];
  const monitor = { packs };
  const relay = { evaluate: vi.fn(), lacks: false };
  const settings = { relay: { pack: 2 } };
  const device = { monitor, relay, parts: { begin: vi.fn() }, settings };
  const follower = new RelayFollower(device as unknown as FollowingDevice);
  second.telemetry.set(FIELDS.soc, 20);
  third.telemetry.set(FIELDS.alarmCode, 1);
  third.online = false;
  for (const pack of packs) update(follower, pack);
  expect(relay.evaluate).toHaveBeenCalledTimes(1);
  expect(follower.relayTelemetry()).toEqual({
    online: true,
    alarmCode: 0,
    soc: 20,
    voltage: expect.any(Number) as number,
  });
  second.online = false;
  expect(follower.relayTelemetry()).toMatchObject({ online: false });
  settings.relay.pack = 4;
  expect(follower.relayTelemetry()).toMatchObject({ online: false, soc: NaN, voltage: NaN });
  settings.relay.pack = 1;
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55, alarmCode: 0 });
});
