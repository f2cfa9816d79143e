import type { WirePort } from "../../../host-sim/wire";
import type { Random } from "../../fuzz/random";

/** Of 1,000 replies so many are lost: half of them do not come, the others have a wrong bit. */
export function loseReplies(port: WirePort, random: Random, rate: () => number): void {
  const send = port.send.bind(port);
  port.send = (bytes) => {
    if (random.below(1_000) >= rate()) return send(bytes);
    if (random.once(2)) return;
    const damaged = Uint8Array.from(bytes);
    damaged[random.below(damaged.length)]! ^= 1 << random.below(8);
    send(damaged);
  };
}
