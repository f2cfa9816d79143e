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
