import Time from "time";
import type { BlockImage } from "jk-bms/types";
import type { JsonWriter } from "json/writer";
import { ANALOG_SAMPLES } from "./limits";
import type { WebOptions } from "./options";

type Sources = Pick<
  WebOptions,
  "monitor" | "uptime" | "settings" | "relay" | "sensors" | "network" | "networkControl" | "updater"
>;

const VOLTAGES = 3;
/** Seconds: 2^31 ms are 24 days. */
const TICKS_GOOD = 86_400;

/** A number of its own for nearly every content of a block. */
function sumOf({ view, valid }: BlockImage): number {
  let sum = valid ? 1 : 0;
  for (let offset = 0; offset + 4 <= view.byteLength; offset += 4)
    sum = (((sum << 5) | (sum >>> 27)) + view.getUint32(offset)) | 0;
  return sum;
}

/**
 * A counter for each document of the page, which rises when the document may have changed. What nobody tells is looked at by `sample`.
 */
export class Changes {
  readonly #sources: Sources;
  #status = 0;
  #config = 0;
  #queue = 0;
  #relay = 0;
  #device = 0;
  /** Something came from the BMS since the last sample. */
  #heard = false;
  #samples = 0;
  /** When the last valid telemetry came: ticks and seconds since the start. */
  #heardTicks = 0;
  #heardAt: number | undefined;
  /** As last seen. */
  #pending = false;
  #lastCommand = "";
  #loaded = false;
  #setup = 0;
  #deviceInfo = 0;
  #relayFacts = "";
  #relaySettings: unknown;
  #inputSettings: unknown;
  #analog = "";
  #deviceFacts = "";

  constructor(sources: Sources) {
    this.#sources = sources;
    sources.monitor.observe(this);
  }

  bmsUpdated(): void {
    this.#heardTicks = Time.ticks;
    this.#heardAt = this.#sources.uptime();
    this.sawStatus();
  }

  bmsOnlineChanged(): void {
    this.sawStatus();
  }

  /** Milliseconds since the last valid telemetry; undefined before the first. */
  get age(): number | undefined {
    if (this.#heardAt === undefined) return undefined;
    const seconds = this.#sources.uptime() - this.#heardAt;
    // The ticks tell it more exactly, until they come round.
    return seconds > TICKS_GOOD ? seconds * 1000 : (Time.ticks - this.#heardTicks) | 0;
  }

  /** Grows with every counter. */
  get revision(): number {
    return this.#status + this.#config + this.#queue + this.#relay + this.#device;
  }

  /** Nobody has looked for a while: everything may have changed. */
  touchAll(): void {
    this.#status++;
    this.#config++;
    this.#queue++;
    this.#relay++;
    this.#device++;
  }

  write(json: JsonWriter): void {
    json.open();
    json.integer("status", this.#status).integer("config", this.#config).integer("queue", this.#queue);
    json.integer("relay", this.#relay).integer("device", this.#device);
    json.close();
  }

  sample(): void {
    this.sampleQueue();
    if (this.#heard) this.sampleSetup();
    this.#heard = false;
    this.sampleRelay();
    this.sampleDevice();
  }

  private sawStatus(): void {
    this.#heard = true;
    this.#status++;
  }

  private sampleQueue(): void {
    const { writes, configurationLoaded } = this.#sources.monitor;
    const { pending, lastCommand } = writes;
    if (pending === this.#pending && lastCommand === this.#lastCommand && configurationLoaded === this.#loaded) return;
    if (configurationLoaded !== this.#loaded || pending !== this.#pending) this.#heard = true;
    this.#pending = pending;
    this.#lastCommand = lastCommand;
    this.#loaded = configurationLoaded;
    this.#queue++;
  }

  private sampleSetup(): void {
    const { monitor } = this.#sources;
    const setup = sumOf(monitor.setup);
    const deviceInfo = sumOf(monitor.deviceInfo);
    if (setup === this.#setup && deviceInfo === this.#deviceInfo) return;
    this.#setup = setup;
    this.#deviceInfo = deviceInfo;
    this.#config++;
    // The switches as set are in the setup, and part of the status.
    this.#status++;
  }

  private sampleRelay(): void {
    const { relay, sensors, settings } = this.#sources;
    const facts = `${relay.value}${relay.mode}${sensors.input(0)}${sensors.input(1)}`;
    // A group that changes is another object.
    const changed =
      facts !== this.#relayFacts ||
      settings.relay !== this.#relaySettings ||
      settings.monitoring !== this.#inputSettings;
    this.#relayFacts = facts;
    this.#relaySettings = settings.relay;
    this.#inputSettings = settings.monitoring;
    let moved = false;
    if (this.#samples++ % ANALOG_SAMPLES === 0) {
      let analog = `${sensors.temperature}`;
      for (let channel = 0; channel < VOLTAGES; channel++) analog += ` ${sensors.voltage(channel)}`;
      moved = analog !== this.#analog;
      this.#analog = analog;
    }
    if (changed || moved) this.#relay++;
  }

  private sampleDevice(): void {
    const { network, networkControl, updater, settings } = this.#sources;
    let facts = `${settings.revision} ${network.mode} ${network.ip}`;
    if (networkControl) facts += ` ${networkControl.ssid} ${networkControl.reason}`;
    if (updater) facts += ` ${updater.state} ${updater.received}`;
    if (facts === this.#deviceFacts) return;
    this.#deviceFacts = facts;
    this.#device++;
  }
}
