/**
 * `npm run fuzz -- faults`: the whole firmware with four packs, in virtual time, whose replies, time server, name server, DHCP server, message service
 * and storage are wrong in ways that nothing shows. What is true is simulated beside it: packs that are well, half full and only set by what was asked for.
 */
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import type { StoredValue } from "../../host-sim/storage";
import { WRITE, type Request } from "../../host-sim/bms/request";
import type { SimulatedBms } from "../../host-sim/bms/simulated-bms";
import type { Engine } from "../support/system/engines";
import { type Listener, startBroker } from "../support/mqtt/broker";
import { System, turn } from "../support/system/system";
import { oldMessage, wrongMessage, wrongRequest } from "./clients";
import { isFrame, spoilt, zeros } from "./damage";
import type { Random } from "./random";

const PACKS = 4;
const CELLS = 16;
const SECOND = 1_000;
const HOUR = 3_600;
/** Of so many replies one is wrong. */
const ONE_IN = 6;
/** Virtual seconds between two looks, and between two writes. */
const LOOK = 30;
const BETWEEN_WRITES = 90;
const TIME_SERVER = "time.example";
/** The lease changes in so many seconds of a look, and is as before in the others. */
const LEASE_SECONDS = 5;
/** Seconds since 1970 at power-on. */
const BEGAN = 1_800_000_000;
/** What a line that loses one in ONE_IN replies, and a time server that is wrong, are rightly said to be. */
const TRUE_EVENTS =
  /^(condition-(raised|cleared)\t(link|link-weak|clock-doubtful|tail-old)\b|clock-doubtful|write\b|(bms|pack)-online|started|start-reason|sign-in-refused|settings-changed\tmqtt)/;
const BASE = "jk-bms/02005e100001";
const OLD_MESSAGES = 20;
/** Messages, and requests, between two looks. */
const BATCH = 10;
/** Virtual seconds. */
const PATIENCE = 300;
const SWITCHES = ["display_always_on", "balance"] as const;

/** What becomes of a reply; three of the rare ones in a row would be taken. */
const KINDS = [
  ...Array<"wrong bits">(28).fill("wrong bits"),
  ...Array<"the one before">(5).fill("the one before"),
  ...Array<"lost">(5).fill("lost"),
  "all zeros",
  "another pack's",
] as const;

export class FaultFuzz {
  readonly given: Record<string, number> = {};
  readonly problems: string[] = [];
  writes = 0;
  confirmed = 0;
  starts = 0;
  private messages: string[] = [];
  private lies = false;
  private system!: System;
  private server!: Server;
  private readonly wanted = new Map<string, number>();
  private readonly old = new Map<string, StoredValue[]>();

  private constructor(private readonly random: Random) {}

  static async start(engine: Engine, random: Random, readMode: "auto" | "frames"): Promise<FaultFuzz> {
    const fuzz = new FaultFuzz(random);
    fuzz.server = createServer((request, response) => {
      let text = "";
      request.on("data", (bytes: Buffer) => (text += bytes.toString())).on("end", () => void fuzz.messages.push(text));
      if (fuzz.lies && random.once(2)) {
        fuzz.note("answers of the message service");
        response.statusCode = random.of([302, 404, 429, 500, 503]);
      }
      response.end();
    });
    fuzz.server.listen(0, "127.0.0.1");
    await once(fuzz.server, "listening");
    const { port } = fuzz.server.address() as AddressInfo;
    fuzz.system = await System.start({
      engine,
      unpaced: true,
      bank: { count: PACKS, evolving: false },
      board: {
        utc: () => fuzz.time(),
        config: {
          settings: {
            bms: { interval: 500, readMode },
            relay: {
              fitted: true,
              mode: 1,
              source: "soc",
              onAt: 30,
              offAt: 40,
              start: "off",
              minimumOn: 0,
              minimumOff: 0,
            },
            packs: { first: "1", further: [2, 3, 4].map((address) => ({ address, name: `${address}` })) },
            notify: { kind1: "ntfy", url1: `http://127.0.0.1:${port}`, channel1: "battery" },
            time: { server: TIME_SERVER },
          },
        },
      },
      prepare: (board, bank) => {
        board.names.set(TIME_SERVER, "192.0.2.123");
        fuzz.spoilNames(board.names);
        for (const pack of bank?.packs ?? []) prepare(pack);
        for (const wirePort of board.wire.ports) if (wirePort !== board.wire.board) fuzz.spoil(wirePort);
        fuzz.watchStorage(board.storage);
      },
    });
    const { system } = fuzz;
    await fuzz.pass(120);
    fuzz.messages = [];
    for (const { faults } of system.bank!.packs)
      faults.add({ kind: "no-answer", matching: (request) => fuzz.heard(request) });
    for (const pack of system.bank!.packs) fuzz.remember(pack);
    fuzz.problems.push(...(await fuzz.said()).map((event) => `before: ${event}`));
    return fuzz;
  }

  get count(): number {
    return Object.values(this.given).reduce((sum, one) => sum + one, 0);
  }

  /** Until the device was given so many. */
  async run(count: number): Promise<void> {
    const end = this.count + count;
    this.lies = true;
    let written = 0;
    for (let second = 0; this.count < end && !this.problems.length; second++) {
      await this.pass(1);
      if (second % LOOK < LEASE_SECONDS) this.lease();
      if (second % BETWEEN_WRITES === 0) this.write(written++);
      if (second % LOOK === LOOK - 1) await this.look();
    }
    this.lies = false;
    await this.pass(LOOK);
    await this.look();
  }

  /**
   * Until the device was given so many, among them requests over MQTT, with mosquitto, and over HTTP that are wrong in themselves. Meanwhile
   * nothing is asked for that is right.
   */
  async ask(count: number): Promise<void> {
    const { random, system } = this;
    const end = this.count + count;
    const broker = await startBroker();
    const client = await broker.client(`${BASE}/result`);
    for (let old = 0; old < OLD_MESSAGES; old++) {
      const { topic, payload } = oldMessage(random);
      await client.publish(`${BASE}/${topic}`, payload, true);
      this.note("old MQTT messages");
    }
    await system.skipUntil("the last write has ended", () => !system.monitor().pending);
    const { writes } = this;
    system.keepUp = () => broker.beat().then(turn);
    system.probes.configure("mqtt", { enabled: true, host: "127.0.0.1", port: broker.port });
    await this.answered(client, "first");
    this.lies = true;
    for (let batch = 0; this.count < end && !this.problems.length; batch++) {
      for (let message = 0; message < BATCH; message++) {
        const { topic, payload } = wrongMessage(random);
        await client.publish(`${BASE}/${topic}`, payload);
        this.note("MQTT messages");
      }
      for (let request = 0; request < BATCH; request++) await this.refused();
      await this.answered(client, `${batch}`);
      if (this.writes !== writes) this.problems.push("a wrong request has written");
      await this.look();
    }
    this.lies = false;
    system.probes.configure("mqtt", { enabled: false });
    system.keepUp = turn;
    await broker.stop();
  }

  /** The honest client is answered, so all before it was read. */
  private async answered(client: Listener, id: string): Promise<void> {
    const ask = (): Promise<unknown> =>
      client.publish(`${BASE}/request`, JSON.stringify({ setting: "none", value: 1, id }));
    const isAnswered = (): boolean => client.messages.some(({ text }) => text.includes(`"id":"${id}"`));
    await ask();
    for (let second = 0; !isAnswered(); second++) {
      if (second > PATIENCE) throw new Error(`${id} is not answered`);
      if (second % 10 === 9) await ask();
      await this.pass(1);
    }
    client.messages.length = 0;
  }

  private async refused(): Promise<void> {
    const { system } = this;
    const { path, body, token } = wrongRequest(this.random);
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    let reply: { readonly status: number; readonly text: string } | undefined;
    let isOver = false;
    // It may wait, as who guesses a token does; a connection that was idle for long may be closed instead.
    void system
      .request("POST", path, { body, headers })
      .then((given) => (reply = given))
      .catch(() => undefined)
      .finally(() => (isOver = true));
    while (!isOver) {
      system.skip(20);
      await system.keepUp();
    }
    this.note("HTTP requests");
    const { status = 400, text = "" } = reply ?? {};
    if (status < 400 || status >= 500) this.problems.push(`${status} to ${path} ${body}: ${text}`);
  }

  /** So many starts with a storage that returns wrong or old values. */
  async restart(starts: number): Promise<void> {
    const { system } = this;
    for (let start = 0; start < starts && !this.problems.length; start++) {
      this.lies = true;
      await system.powerCycle();
      this.lies = false;
      this.starts++;
      await this.pass(3);
      this.check();
    }
    await system.powerCycle();
    await this.pass(60);
    await this.look();
  }

  stop(): void {
    this.system.stop();
    this.server.close();
  }

  private async pass(seconds: number): Promise<void> {
    for (let half = 0; half < 2 * seconds; half++) {
      this.system.skip(SECOND / 2);
      await this.system.keepUp();
    }
  }

  private note(kind: string): void {
    this.given[kind] = (this.given[kind] ?? 0) + 1;
  }

  private get truth(): number {
    return BEGAN + Math.floor(this.system ? this.system.board.clock.now / SECOND : 0);
  }

  /** ms since 1970, as the time server says. */
  private time(): number {
    const { random, truth } = this;
    if (!this.lies || random.once(3)) return 1000 * truth;
    this.note("times");
    // From 1970 to 2104, or off by hours; no two alike.
    return (
      1000 *
      (random.once(2)
        ? random.below(4_233_462_144)
        : truth + (random.once(2) ? 1 : -1) * (HOUR + 60 + random.below(9 * HOUR)))
    );
  }

  private spoil(port: { send(bytes: Uint8Array): void }): void {
    const { random } = this;
    const send = port.send.bind(port);
    let before: Uint8Array | undefined;
    port.send = (bytes) => {
      const last = before;
      before = bytes.slice();
      const { held } = this;
      if (held) {
        this.held = undefined;
        return send(held);
      }
      if (!this.lies || !random.once(ONE_IN)) return send(bytes);
      const kind = random.of(KINDS);
      this.note(kind);
      if (kind === "lost") return;
      if (kind === "all zeros") return send(zeros(bytes));
      if (kind === "the one before" && last) return send(last);
      // It comes in place of the next one.
      if (kind === "another pack's") return void (this.held = before);
      if (isFrame(bytes)) return send(spoilt(bytes, random));
      const wrong = bytes.slice();
      wrong[random.below(wrong.length)]! ^= 1 << random.below(8);
      send(wrong);
    };
  }

  /** A reply that is yet to come. */
  private held: Uint8Array | undefined;

  private spoilNames(names: System["board"]["names"]): void {
    const { random } = this;
    const resolve = names.resolve.bind(names);
    names.resolve = (name, done) =>
      resolve(name, (address) => {
        if (!this.lies || name !== TIME_SERVER || !random.once(3)) return done(address);
        this.note("names");
        done(random.once(2) ? undefined : `192.0.2.${1 + random.below(254)}`);
      });
  }

  private isMoved = false;

  /** Another address or none for a second, now and then. */
  private lease(): void {
    const { random, system } = this;
    const isOther = random.once(20);
    if (!isOther && !this.isMoved) return;
    this.isMoved = isOther;
    if (isOther) this.note("leases");
    const { network } = system.board;
    system.board.lease = isOther ? random.of([undefined, "192.0.2.77", "169.254.1.2"]) : network.ip;
  }

  private watchStorage(storage: System["board"]["storage"]): void {
    const { old, random } = this;
    const read = storage.read.bind(storage);
    const write = storage.write.bind(storage);
    storage.write = (domain, key, value) => {
      const path = `${domain}/${key}`;
      old.set(path, [...(old.get(path) ?? []).slice(-3), value]);
      write(domain, key, value);
    };
    storage.read = (domain, key) => {
      const value = read(domain, key);
      if (!this.lies || !value || !random.once(3)) return value;
      this.note("stored values");
      const earlier = old.get(`${domain}/${key}`);
      if (earlier && random.once(3)) return random.of(earlier);
      if (random.once(4) || !("string" in value)) return undefined;
      const bytes = Buffer.from(value.string);
      for (let wrong = 1 + random.below(3); wrong > 0 && bytes.length; wrong--)
        bytes[random.below(bytes.length)]! ^= 1 << random.below(7);
      return { string: bytes.toString("latin1") };
    };
  }

  /** What a pack is asked for; only a write is of interest. */
  private heard(request: Request): boolean {
    if (request.function === WRITE && !request.trigger) this.writes++;
    return false;
  }

  private remember({ registers }: SimulatedBms): void {
    const address = registers.read("DevAddr");
    for (const name of SET) this.wanted.set(`${address} ${name}`, registers.read(name));
  }

  private write(turn: number): void {
    const { probes, bank } = this.system;
    const [pack] = bank!.packs;
    const isSwitch = turn % 2 === 1;
    const value = 3_645 + this.random.below(6);
    const name = this.random.of(SWITCHES);
    const on = this.random.once(2);
    const refusal = isSwitch ? probes.writeCommand(name, on) : probes.writeParameter("cell_ovp_voltage", value / 1_000);
    if (refusal) return;
    // Until it has ended either may be there.
    this.asked = isSwitch
      ? { key: `${pack!.registers.read("DevAddr")} ${FIELD_OF[name]}`, name, on }
      : { key: "1 VolCellOV", value };
  }

  private asked: { key: string; value?: number; name?: (typeof SWITCHES)[number]; on?: boolean } | undefined;

  /** What nobody asked for. */
  private check(): void {
    const { problems, system } = this;
    for (const { registers } of system.bank!.packs)
      for (const name of SET) {
        const key = `${registers.read("DevAddr")} ${name}`;
        const now = registers.read(name);
        const before = this.wanted.get(key) as number;
        if (now === before) continue;
        const { asked } = this;
        const allowed =
          asked?.key === key &&
          (asked.value === undefined ? (now ^ before) === MASK_OF[asked.name!] : now === asked.value);
        if (!allowed) problems.push(`${key} was ${before}, is ${now}`);
        this.wanted.set(key, now);
      }
    if (system.probes.relay()) problems.push("the relay is on");
    // That the time server is wrong is so; of a wrong storage see below.
    const messages = this.messages.splice(0).filter((text) => !this.starts && !text.includes("time server"));
    problems.push(...messages.map((text) => `message: ${text}`));
    // A stored setting that is old has the broker of before.
    const thrown = system.console.filter(
      (line) => /error|exception|part-failed/i.test(line) && !line.startsWith("mqttClient"),
    );
    if (thrown.length) problems.push(`thrown: ${thrown.slice(0, 3).join("")}`);
    system.console.length = 0;
  }

  private async look(): Promise<void> {
    this.check();
    const { problems, system } = this;
    const { restarts } = system.probes.start();
    if (restarts) problems.push(`${restarts} restarts`);
    const utc = system.probes.utc();
    if (utc !== undefined && Math.abs(utc - this.truth) > HOUR) problems.push(`${utc} in place of ${this.truth}`);
    if (system.monitor().lastCommandOk) this.confirmed++;
    problems.push(...(await this.said()));
    system.probes.monitor();
  }

  /** Events of a state that was not. */
  private async said(): Promise<string[]> {
    const { system } = this;
    const reply = await system.whileTimeStands(() => system.get("/api/events"));
    // Settings that are wrong but allowed, other addresses say, have consequences that are so.
    if (this.starts) return [];
    if (reply.status !== 200) return [`${reply.status} in place of the events`];
    const { data } = reply.json as { data: { event: string; parameters: string[] }[] };
    return data
      .map(({ event, parameters }) => [event, ...parameters].join("\t"))
      .filter((text) => !TRUE_EVENTS.test(text));
  }
}

/** Fields of the settings that are looked at. */
const SET = [
  "VolCellOV",
  "VolCellUV",
  "Switches",
  "BatChargeEN",
  "BatDisChargeEN",
  "BalanEN",
  "CellCount",
  "CapBatCell",
];
const FIELD_OF = { display_always_on: "Switches", balance: "BalanEN" } as const;
const MASK_OF = { display_always_on: 1 << 4, balance: 1 } as const;

/** Well, at rest and half full. */
function prepare({ registers }: SimulatedBms): void {
  for (let cell = 0; cell < CELLS; cell++) registers.write("CellVol", 3_300, cell);
  registers.write("BatVol", CELLS * 3_300);
  registers.write("SOC", 60);
  registers.write("SOCCapRemain", Number(registers.read("SOCFullChargeCap")) * 0.6);
  for (const name of ["Alarms", "BatCurrent", "BatWatt"]) registers.write(name, 0);
  for (const name of ["TempBat1", "TempBat2", "TempMos"]) registers.write(name, 200);
}
