/** The full house on the Linux build, in the memory of a board. */
import { setImmediate as turn } from "node:timers/promises";
import { fillHouse, furtherOf, houseSettings, type Load, type Served } from "../../suites/full-house";
import { freeUdpPort } from "../free-port";
import { startBroker } from "../mqtt/broker";
import { Authority } from "../tls/certificates";
import { LinuxSystem, type LinuxSystemOptions } from "./linux-system";

/** Ms until all packs are read. */
const LOADED_AFTER = 60_000;
const HOUR = 3_600_000;
const TURNS = 3;

/** Throws if the firmware ends. */
export async function fullHouseOnLinux(
  packs: number,
  memory: NonNullable<LinuxSystemOptions["memory"]>,
  seconds: number,
  options: Load = {},
): Promise<Served & { readonly published: number }> {
  const authority = new Authority("ec");
  const broker = await startBroker({ tls: authority.server() });
  const settings = houseSettings({ port: broker.tlsPort, ca: authority.pem });
  const snmpPort = await freeUdpPort();
  let system: LinuxSystem | undefined;
  try {
    system = await LinuxSystem.start({
      unpaced: true,
      memory,
      snmpPort,
      bank: { count: packs, model: "JK_PB2A24S20P", cells: 24 },
      settings: { ...settings, packs: { further: furtherOf(packs) } },
    });
    await system.setTime(Date.now() + HOUR);
    await system.run(LOADED_AFTER);
    const { baseUrl, console, clock, program } = system;
    const ended = program.ended().then((how) => Promise.reject(new Error(how)));
    ended.catch(() => undefined);
    const listener = await broker.client();
    const served = await fillHouse(
      {
        url: baseUrl,
        console,
        snmpPort,
        now: () => clock.now,
        async advance(ms) {
          await Promise.race([system!.run(ms), ended]);
          for (let count = 0; count < TURNS; count++) await turn();
        },
      },
      seconds,
      options,
    );
    return Object.assign(served, { published: listener.messages.length });
  } catch (error) {
    throw new Error(`${system?.console.slice(-2).join("\n")}\n${(error as Error).message}`, { cause: error });
  } finally {
    await system?.stop().catch(() => undefined);
    await broker.stop();
    authority.remove();
  }
}
