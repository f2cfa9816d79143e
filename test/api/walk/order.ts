import { describe, expect, it } from "vitest";
import type { ApiRequest } from "../../support/system/api-client";
import { BMS_UNAVAILABLE, UNKNOWN_COMMAND, UNKNOWN_PARAMETER } from "../documents";
import type { Walk } from "./system";

interface Request {
  method: string;
  path: string;
  authorized: boolean;
  contentType: string;
  members: Record<string, unknown>;
  malformed: boolean;
  oversized: boolean;
}

type State = "disabled" | "offline" | "not loaded" | "pending";

/** One thing wrong with a request or with the system, and the answer it gets. */
interface Fault {
  readonly name: string;
  readonly request?: Partial<Omit<Request, "members">>;
  readonly members?: Record<string, unknown>;
  readonly state?: State;
  readonly status: number;
  /** What tells it from other faults of the same status. */
  readonly error?: string | RegExp;
}

/** docs/api.md, "Order of the checks": those before the body. */
const BEFORE_THE_BODY: readonly Fault[] = [
  { name: "preflight", request: { method: "OPTIONS" }, status: 204 },
  { name: "API disabled", state: "disabled", status: 403 },
  { name: "no token", request: { authorized: false }, status: 401 },
];
const UNKNOWN_PATH: Fault = { name: "unknown path", request: { path: "/api/nothing" }, status: 404 };
const OTHER_METHOD: Fault = { name: "other method", request: { method: "PUT" }, status: 405 };
const BODY: readonly Fault[] = [
  { name: "Content-Type", request: { contentType: "text/plain" }, status: 415 },
  { name: "size", request: { oversized: true }, status: 413 },
  { name: "malformed JSON", request: { malformed: true }, status: 400 },
];

interface Chain {
  readonly path: string;
  readonly good: Record<string, unknown>;
  readonly faults: readonly Fault[];
}

const CHAINS: readonly Chain[] = [
  {
    path: "/api/bms/settings",
    good: { setting: "cell_ovp_voltage", value: 3.6 },
    faults: [
      { name: "type of a field", members: { value: null }, status: 400 },
      { name: "unknown parameter", members: { setting: "nothing" }, status: 409, error: UNKNOWN_PARAMETER },
      { name: "refused value", members: { value: 99 }, status: 409, error: /cell_ovp_voltage/ },
      { name: "BMS offline", state: "offline", status: 409, error: BMS_UNAVAILABLE },
      { name: "setup not loaded", state: "not loaded", status: 409 },
      { name: "pending", state: "pending", status: 409 },
    ],
  },
  {
    path: "/api/bms/commands",
    good: { command: "charge_mos", state: true },
    faults: [
      { name: "type of a field", members: { state: null }, status: 400 },
      { name: "unknown command", members: { command: "nothing" }, status: 409, error: UNKNOWN_COMMAND },
      { name: "BMS offline", state: "offline", status: 409, error: BMS_UNAVAILABLE },
      { name: "pending", state: "pending", status: 409 },
    ],
  },
  {
    path: "/api/relay",
    good: { cmd: "on" },
    faults: [{ name: "invalid command", members: { cmd: "nothing" }, status: 400 }],
  },
];

/** Going offline ends a pending write, so the two cannot be had together; nor can two states of the same thing. */
const canMeet = (first: Fault, second: Fault): boolean =>
  !(first.state === "offline" && (second.state === "pending" || second.state === "not loaded"));

/** For each two checks a request that violates both: the earlier one answers. */
export function walkOrder(walk: Walk): void {
  async function bring(states: readonly (State | undefined)[]): Promise<void> {
    if (states.includes("offline")) await walk.goOffline();
    if (states.includes("not loaded")) await walk.unload();
    if (states.includes("pending")) {
      await walk.system.bms.holdWrites(true);
      expect((await walk.client.post("/api/bms/commands", { command: "balance", state: true })).status).toBe(202);
    }
    if (states.includes("disabled")) await walk.system.configure("api", { enabled: false });
  }

  function ask({ path, good }: Chain, faults: readonly Fault[]) {
    const request: Request = Object.assign(
      { method: "POST", path, authorized: true, contentType: "application/json", malformed: false, oversized: false },
      // The earlier fault has the last word about what both change.
      ...faults.map((fault) => fault.request).reverse(),
      {
        members: Object.assign({}, good, ...faults.map((fault) => fault.members).reverse()) as Record<string, unknown>,
      },
    ) as Request;
    const text = JSON.stringify(request.members).slice(0, request.malformed ? -1 : undefined);
    const sent: ApiRequest = {
      method: request.method,
      path: request.path,
      contentType: request.contentType,
      body: request.oversized ? text.padEnd(257) : text,
    };
    return walk.client.send(request.authorized ? sent : { ...sent, authorization: null });
  }

  describe.each(CHAINS.filter(({ path }) => walk.posts.some((post) => post === path)))(
    "order of checks in POST $path",
    (chain) => {
      describe.each([[UNKNOWN_PATH], [OTHER_METHOD]])("with $name", (routing) => {
        const faults = [...BEFORE_THE_BODY, routing, ...BODY, ...chain.faults];
        const pairs = faults.flatMap((first, index) =>
          faults
            .slice(index + 1)
            .filter((second) => canMeet(first, second))
            .map((second) => [first, second] as const),
        );
        // The slow changes of state are made once for all pairs that need them.
        const stateOf = (pair: readonly Fault[]): string => pair.map(({ state }) => state ?? "").join("/");

        it.each([...new Set(pairs.map(stateOf))])("in state %s the earlier check answers", async (state) => {
          const inState = pairs.filter((pair) => stateOf(pair) === state);
          await bring((inState[0] ?? []).map(({ state }) => state));
          for (const pair of inState) {
            const [first, second] = pair;
            const what = `${first.name} before ${second.name}`;
            const answer = await ask(chain, pair);
            expect(answer.status, what).toBe(first.status);
            const error = (answer.json as { error?: string } | undefined)?.error;
            if (first.error !== undefined) expect(error, what).toMatch(first.error);
            // A 401 is not to slow down the next one.
            if (first.status === 401 && first.state !== "disabled") await walk.client.get("/api");
          }
        });
      });

      it("each fault alone gets its own error", async () => {
        for (const fault of [...BEFORE_THE_BODY, UNKNOWN_PATH, OTHER_METHOD, ...BODY, ...chain.faults]) {
          await bring([fault.state]);
          const answer = await ask(chain, [fault]);
          expect(answer.status, fault.name).toBe(fault.status);
          const error = (answer.json as { error?: string } | undefined)?.error;
          if (fault.error !== undefined) expect(error, fault.name).toMatch(fault.error);
          if (fault.state) await walk.rest();
        }
      });
    },
  );

  it("not loaded is reported before pending", async () => {
    const setting = { setting: "cell_ovp_voltage", value: 3.6 };
    const told = async (): Promise<unknown> =>
      ((await walk.client.post("/api/bms/settings", setting)).json as { error: string }).error;
    await walk.unload();
    const notLoaded = await told();
    await bring(["pending"]);
    expect(await told()).toBe(notLoaded);
    await walk.rest();
    await bring(["pending"]);
    expect(await told()).not.toBe(notLoaded);
  });
}
