/** The full house on XS of `@agoric/xsnap`, in fixed memory. */
import { bundleForXs, type Bundle } from "../../../host-sim/xs/bundle";
import type { XsMemory } from "../../../host-sim/xs/image";
import { fillHistory, fillHouse, furtherOf, houseSettings, type Load, type Served } from "../../suites/full-house";
import { startBroker } from "../mqtt/broker";
import { System, turn } from "../system/system";
import { Authority } from "../tls/certificates";
import type { LeanProbes } from "./lean-entry";

/** Ms until all packs are read and the flash is ready. */
const LOADED_AFTER = 120_000;
const TIME = 1_800_000_000;
const BMS = { model: "JK_PB2A24S20P", cells: 24 };
/** For the engine's last words, which come after its end, ms. */
const LAST_WORDS = 500;

let bundle: Promise<Bundle> | undefined;

export interface House extends Served {
  /** Messages of MQTT. */
  readonly published: number;
  /** Replies of the packs. */
  readonly replies: number;
}

/** Throws with the engine's last words if the firmware ends. */
export async function fullHouseOnXs(
  packs: number,
  memory: XsMemory,
  seconds: number,
  options: Load = {},
): Promise<House> {
  const authority = new Authority("ec");
  const broker = await startBroker({ tls: authority.server() });
  const console: string[] = [];
  const system = await System.start({
    engine: "xs",
    unpaced: true,
    board: {
      config: { settings: { ...houseSettings({ port: broker.tlsPort, ca: authority.pem }), time: { server: "" } } },
      console: (text) => void console.push(text),
    },
    bank: { ...BMS, count: packs },
    xs: { memory, bundle: await (bundle ??= bundleForXs("test/support/xs/lean-entry.ts")) },
    prepare: (board) => fillHistory(board.history.bytes, TIME),
  });
  const probes = system.booted.probes as unknown as LeanProbes;
  try {
    probes.setTime(TIME * 1_000);
    probes.addPacks(furtherOf(packs));
    const listener = await broker.client();
    system.keepUp = () => broker.beat().then(turn);
    await system.pass(LOADED_AFTER);
    const replies = probes.replies();
    const { length } = listener.messages;
    const served = await fillHouse(
      {
        url: system.url,
        console,
        snmpPort: probes.snmpPort()!,
        now: () => system.board.clock.now,
        async advance(ms) {
          system.skip(ms);
          await system.keepUp();
        },
      },
      seconds,
      options,
    );
    return Object.assign(served, { published: listener.messages.length - length, replies: probes.replies() - replies });
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, LAST_WORDS));
    throw new Error(`${console.slice(-2).join("")}${(error as Error).message}`, { cause: error });
  } finally {
    system.stop();
    await broker.stop();
    authority.remove();
  }
}
