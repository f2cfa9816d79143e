import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { startBroker, type Listener, type TestBroker } from "../support/mqtt/broker";
import { turn } from "../support/system/system";
import { FuzzedDevice } from "./device";
import { damaged, json, object, text } from "./nasty";
import type { Random } from "./random";
import { NAMES } from "./requests";

const BASE = "jk-bms/02005e100001";
const BIRTH = "homeassistant/status";
/** Payloads between two requests of the honest client. */
const LOOK = 100;
/** Virtual seconds. */
const PATIENCE = 600;

/** A hostile and an honest client of Debian's mosquitto, to which the device is connected. */
export class MqttFuzz {
  honest = 0;

  private constructor(
    readonly device: FuzzedDevice,
    private readonly random: Random,
    private readonly broker: TestBroker,
    private readonly client: Listener,
  ) {}

  static async start(random: Random): Promise<MqttFuzz> {
    const broker = await startBroker();
    const client = await broker.client(`${BASE}/result`);
    const device = await FuzzedDevice.start({ mqtt: { enabled: true, host: "127.0.0.1", port: broker.port } });
    device.system.keepUp = () => broker.beat().then(turn);
    const fuzz = new MqttFuzz(device, random, broker, client);
    await device.system.skipUntil("it is connected", () => device.firmware.mqtt?.state === "connected", PATIENCE);
    // Until the broker's kept messages count as old.
    await device.system.pass(4_000);
    return fuzz;
  }

  async run(count: number): Promise<void> {
    const { client, random } = this;
    for (let sent = 0; sent < count; sent += LOOK) {
      const batch = Array.from({ length: Math.min(LOOK, count - sent) }, () => payload(random));
      await Promise.all(batch.map((one) => client.publish(topic(random), one, random.once(50))));
      await this.look();
    }
  }

  async end(): Promise<void> {
    this.device.system.stop();
    await this.broker.stop();
  }

  /** The honest client's request is answered, and with it, in order, all before it. */
  private async look(): Promise<void> {
    const { client, device } = this;
    const id = `honest-${++this.honest}`;
    await client.publish(`${BASE}/request`, JSON.stringify({ setting: "none", value: 1, id }));
    const answered = (): boolean => client.messages.some(({ text: result }) => result.includes(`"${id}"`));
    await device.system.skipUntil(`${id} is answered`, answered, PATIENCE);
    if (device.firmware.mqtt?.state !== "connected") throw new Error("the connection was lost");
    client.messages.length = 0;
  }
}

function topic(random: Random): string {
  switch (random.below(12)) {
    case 0:
      return `${BASE}/command/${random.of(COMMANDS_TABLE).name}/set`;
    case 1:
    case 2:
      return `${BASE}/setting/${random.of(PARAMETERS_TABLE).name}/set`;
    case 3:
      return `${BASE}/relay/set`;
    case 4:
      return `${BASE}/availability`;
    case 5:
      return random.once(20) ? BIRTH : `${BASE}/elsewhere`;
    default:
      return `${BASE}/request`;
  }
}

function payload(random: Random): Buffer {
  const whole = Buffer.from(plain(random));
  return random.once(5) ? damaged(random, whole) : whole;
}

function plain(random: Random): string | Buffer {
  switch (random.below(6)) {
    case 0:
      return text(random);
    case 1:
      return random.bytes(random.below(random.once(20) ? 20_000 : 300));
    case 2:
      return `{"command":"${random.of(COMMANDS_TABLE).name}","state":${json(random, NAMES, 0)},"id":${json(random, NAMES, 0)}}`;
    case 3:
      return `{"setting":"${random.of(PARAMETERS_TABLE).name}","value":${json(random, NAMES, 0)}}`;
    default:
      return object(random, NAMES);
  }
}
