import { FIELDS } from "jk-bms/fields";
import { expect, it, vi } from "vitest";
import { RelayFollower, type FollowingDevice } from "../../src/relay/follower";
import { fakeParts } from "../support/fakes/fake-parts";

it("lets the relay follow the pack, and tries again what the platform refused it", () => {
  const { monitor } = fakeParts();
  const relay = { evaluate: vi.fn(), lacks: false };
  const parts = { begin: vi.fn() };
  const follower = new RelayFollower({ monitor, relay, parts } as unknown as FollowingDevice);
  follower.bmsUpdated();
  follower.bmsOnlineChanged();
  expect(relay.evaluate.mock.calls).toEqual([[follower], [follower]]);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55 });
  expect(parts.begin).not.toHaveBeenCalled();
  relay.lacks = true;
  follower.bmsOnlineChanged();
  follower.bmsUpdated();
  expect(parts.begin.mock.calls).toEqual([["relay"], ["relay"]]);
});

it("lets it follow the bank of several packs: once a round, and at once on a fault", () => {
  const { monitor } = fakeParts();
  const [second, third] = [fakeParts().monitor, fakeParts().monitor];
  Object.assign(monitor, { packs: [monitor, second, third] });
  const relay = { evaluate: vi.fn(), lacks: false };
  const follower = new RelayFollower({ monitor, relay, parts: { begin: vi.fn() } } as unknown as FollowingDevice);
  for (const pack of [second, third]) follower.packUpdated(pack);
  expect(relay.evaluate).toHaveBeenCalledTimes(0);
  third.telemetry.set(FIELDS.alarmCode, 1);
  follower.packUpdated(third);
  expect(relay.evaluate).toHaveBeenCalledTimes(1);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: 55, alarmCode: 1 });
  monitor.online = false;
  follower.packUpdated(second);
  follower.packOnlineChanged();
  expect(relay.evaluate).toHaveBeenCalledTimes(3);
  expect(follower.relayTelemetry()).toMatchObject({ online: true, soc: NaN, alarmCode: 1 });
});
