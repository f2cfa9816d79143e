/** The firmware on XS, with the tests' probes and what the benchmark asks of it. */
import { boot } from "../../../host-sim/xs/device/boot";
import main from "../../../src/main";
import { probesOf } from "../../support/probes";
import { LoopServer } from "../loop";
import { calls, Profile } from "./profile";

boot(main, (firmware) => {
  let profile: Profile | undefined;
  return {
    ...probesOf(firmware),
    /** Answers a request, given in bytes, so many times without a socket. */
    loop(request: readonly number[], times: number): void {
      const loop = new LoopServer(firmware.api.handler);
      loop.ask(Uint8Array.from(request), times);
      loop.close();
    },
    /** From now on the units are counted by part. */
    profile: (): void => void (profile ??= new Profile()),
    /** Units by part since the last time this was asked, of all callbacks together. */
    parts: (): unknown => profile?.take(),
    calls: (): unknown => calls(),
  };
});
