/** The firmware on XS, with some of the tests' probes and what the benchmark asks of it. */
import { boot } from "../../../host-sim/xs/device/boot";
import main, { type Firmware } from "../../../src/main";
import { probesOf, type Probes } from "../../support/system/probes";
import { LoopServer } from "../loop";
import { HISTORY_ASKS } from "./history-asks";
import { Profile } from "./profile";

type Ask = (...parameters: never[]) => unknown;

const PROBES = ["token", "port", "monitor", "configure", "close"] as const satisfies readonly (keyof Probes)[];

let firmware: Firmware;
let profile: Profile | undefined;

/** Made before main runs, and each probe only when it is asked for: none of this is the firmware's memory. */
const exposed: Record<string, Ask> = {
  /** Answers a request, given in bytes, so many times without a socket. */
  loop(request: readonly number[], times: number): void {
    const loop = new LoopServer((exchange) => firmware.api.answer(exchange));
    loop.ask(Uint8Array.from(request), times);
    loop.close();
  },
  ...HISTORY_ASKS,
  /** From now on the units are counted by part. */
  profile: (): void => void (profile ??= new Profile()),
  /** Units by part since the last time this was asked, of all callbacks together. */
  parts: (): unknown => profile?.take(),
};
for (const name of PROBES)
  exposed[name] = (...parameters: never[]) => {
    const probes: Readonly<Record<(typeof PROBES)[number], Ask>> = probesOf(firmware);
    return probes[name](...parameters);
  };

boot(main, (made) => {
  if (!made) throw new Error("the firmware could not be built");
  firmware = made;
  return exposed;
});
