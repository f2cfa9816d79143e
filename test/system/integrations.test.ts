import { afterEach, expect, it } from "vitest";
import { startBroker } from "../support/mqtt/broker";
import { Nut } from "../support/peers/nut";
import { Prometheus } from "../support/peers/prometheus";
import { System, TOKEN, turn } from "../support/system/system";

const COMMUNITY = "let-me in";
const BASE = "jk-bms/02005e100001";
/** ms between two polls of the BMS. */
const INTERVAL = 1_000;

const cleanUps: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

it("mosquitto, Prometheus, NUT and the API report the same and follow the BMS; all write through one queue", async () => {
  const broker = await startBroker();
  cleanUps.push(() => broker.stop());
  const system = await System.start({
    bms: { evolving: false },
    board: {
      config: {
        settings: {
          bms: { interval: INTERVAL },
          mqtt: { enabled: true, host: "127.0.0.1", port: broker.port },
          snmp: { enabled: true, community: COMMUNITY },
        },
      },
    },
  });
  cleanUps.push(() => system.stop());
  const listener = await broker.client(`${BASE}/#`);
  await system.untilLoaded();
  const prometheus = await Prometheus.start(new URL(system.url).host, TOKEN);
  cleanUps.push(() => prometheus.stop());
  const nut = await Nut.start([
    `port = 127.0.0.1:${system.probes.snmpPort()}`,
    `community = "${COMMUNITY}"`,
    "snmp_version = v2c",
    "mibs = ietf",
  ]);
  cleanUps.push(() => nut.stop());

  interface Telemetry {
    soc: number;
    pack: { voltage: number };
  }
  const told = (topic: string): unknown => JSON.parse(listener.topics.get(`${BASE}/${topic}`) ?? "{}");
  /** What each of them says of the pack's voltage and charge. */
  const sides = async (): Promise<Record<string, readonly [number | undefined, number | undefined]>> => {
    const { data } = (await system.get("/api/bms/status")).json as { data: Telemetry };
    const { soc, pack } = told("telemetry") as Partial<Telemetry>;
    const shown = await nut.variables();
    const ratio = await prometheus.query("bms_state_of_charge_ratio");
    return {
      api: [data.pack.voltage, data.soc],
      mqtt: [pack?.voltage, soc],
      prometheus: [
        await prometheus.query("bms_voltage_volts"),
        ratio === undefined ? undefined : Math.round(ratio * 100),
      ],
      nut: [Number(shown?.["battery.voltage"]), Number(shown?.["battery.charge"])],
    };
  };
  const agree = async (what: string, volts: number, soc: number): Promise<void> => {
    // NUT has volts to a tenth.
    const wanted = { api: [volts, soc], mqtt: [volts, soc], prometheus: [volts, soc], nut: [volts, soc] };
    let last = "";
    await system
      .until(what, async () => (last = JSON.stringify(await sides())) === JSON.stringify(wanted))
      .catch((error: unknown) => {
        throw new Error(`${String(error)}: ${last}`);
      });
  };

  const { registers } = system.bms;
  registers.write("BatVol", 51_200);
  registers.write("SOC", 60);
  await agree("all four tell of 51.2 V and 60 %", 51.2, 60);
  registers.write("BatVol", 49_700);
  registers.write("SOC", 41);
  await agree("all four tell of 49.7 V and 41 %", 49.7, 41);

  // A REST write is pending: MQTT's is refused, and says so.
  system.keepUp = () => broker.beat().then(turn);
  const result = (): { id?: string; ok?: boolean; status?: string; message?: string } =>
    told("result") as { id?: string };
  await system.whileTimeStands(async () => {
    system.bms.faults.add({ kind: "no-answer" });
    expect((await system.post("/api/bms/commands", { command: "balance", state: "off" })).status).toBe(202);
    await listener.publish(`${BASE}/request`, JSON.stringify({ command: "balance", state: "on", id: "second" }));
    await system.skipUntil("the result is there", () => result().id === "second");
  });
  expect(result()).toMatchObject({ ok: false, status: "refused" });
  expect(result().message).toMatch(/pending/);
});
