/**
 * A model of Home Assistant's MQTT integration (core 2025.1, components/mqtt), fed with the messages of a broker: device discovery with
 * update and removal, availability, templates, and how each platform interprets the rendered values.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { entityOf, isRemoval, problemsOf, rootOf } from "./home-assistant";

type Json = Record<string, unknown>;
export interface Message {
  readonly topic: string;
  readonly text: string;
}
type Rendered = { readonly text: string } | { readonly error: string };

/** What a template renders for an unknown value. */
const NONE = "None";

const keyOf = (template: string, payload: string): string => `${template}\0${payload}`;

/** Python takes longer to start than to render: one process for all calls of a test file. It ends with this process. */
const jinja = (() => {
  let replies: AsyncIterator<string, undefined> | undefined;
  let input: Writable;
  return async (line: string): Promise<string> => {
    if (!replies) {
      // Debian's, which has Jinja2: another in the PATH may not.
      const { stdin, stdout } = spawn("/usr/bin/python3", ["test/peers/jinja.py"], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      input = stdin;
      replies = createInterface(stdout)[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
    }
    input.write(`${line}\n`);
    const { value } = await replies.next();
    if (value === undefined) throw new Error("Jinja has ended: see its message above");
    return value;
  };
})();

/** Everything rendered so far: a template sees nothing but its payload. */
const results = new Map<string, Rendered>();

/** Renders each template with its payload, with the real Jinja2. */
async function render(jobs: readonly (readonly [template: string, payload: string])[]): Promise<typeof results> {
  const unique = [...new Map(jobs.map((job) => [keyOf(...job), job])).values()].filter(
    (job) => !results.has(keyOf(...job)),
  );
  const rendered = JSON.parse(await jinja(JSON.stringify(unique))) as Rendered[];
  unique.forEach((job, index) => results.set(keyOf(...job), rendered[index]!));
  return results;
}

interface Availability {
  readonly topic: string;
  readonly value_template?: string;
}

/** An entity: its options, and its states as the recorder would store them. */
class Entity {
  /** Indices of the availability topics that report "online". */
  readonly available = new Set<number>();
  /** Undefined: unknown. */
  value: string | undefined;
  /** All states in order: the recorder's rows. */
  readonly rows: string[] = [];
  readonly events: Json[] = [];

  constructor(public options: Json) {}

  get isEnabled(): boolean {
    return this.options["enabled_by_default"] !== false;
  }

  get availability(): readonly Availability[] {
    return this.options["availability"] as Availability[];
  }

  /** As Home Assistant shows it. */
  get state(): string {
    if (this.available.size < this.availability.length) return "unavailable";
    return this.value ?? "unknown";
  }
}

/** A received message and the entity it applies to, with the options at that time. */
interface Heard {
  readonly entity: Entity;
  readonly options: Json;
  /** Index of the availability topic; undefined: the state topic. */
  readonly availability?: number;
  readonly template: string | undefined;
  readonly payload: string;
  readonly replayed: boolean;
}

export class HomeAssistant {
  /** By component key. */
  readonly entities = new Map<string, Entity>();
  readonly problems: string[] = [];
  device: Json = {};
  origin: Json = {};

  /** Feeds `messages` in order; `prefix` is the discovery prefix. */
  static async hearing(messages: readonly Message[], prefix = "homeassistant"): Promise<HomeAssistant> {
    const one = new HomeAssistant();
    const heard = one.#listen(messages, prefix);
    const rendered = await render(
      heard.flatMap(({ template, payload }) => (template === undefined ? [] : [[template, payload] as const])),
    );
    for (const item of heard) one.#take(item, rendered);
    return one;
  }

  entity(key: string): Entity {
    const entity = this.entities.get(key);
    if (!entity) throw new Error(`no entity ${key}`);
    return entity;
  }

  /** Recorder rows of all enabled entities. */
  get rows(): number {
    return [...this.entities.values()].reduce((sum, { isEnabled, rows }) => sum + (isEnabled ? rows.length : 0), 0);
  }

  #listen(messages: readonly Message[], prefix: string): Heard[] {
    const kept = new Map<string, string>();
    const heard: Heard[] = [];
    for (const { topic, text } of messages) {
      if (topic.startsWith(`${prefix}/device/`)) this.#discover(text, kept, heard);
      else {
        // The device retains everything except results and alarms.
        if (!/\/(?:result|alarm)$/.test(topic)) {
          if (text) kept.set(topic, text);
          else kept.delete(topic);
        }
        for (const entity of this.entities.values()) this.#hear(entity, topic, text, false, heard);
      }
    }
    return heard;
  }

  #discover(text: string, kept: ReadonlyMap<string, string>, heard: Heard[]): void {
    // An empty document removes all entities.
    if (!text) return this.entities.clear();
    const document = JSON.parse(text) as Json;
    this.problems.push(...problemsOf(document));
    const root = rootOf(document);
    this.device = root["device"] as Json;
    this.origin = root["origin"] as Json;
    for (const [key, component] of Object.entries(root["components"] as Record<string, Json>)) {
      if (isRemoval(component)) {
        this.entities.delete(key);
        continue;
      }
      const options = entityOf(root, component);
      const known = this.entities.get(key);
      const entity = known ?? new Entity(options);
      const isSame = JSON.stringify(entity.options) === JSON.stringify(options);
      entity.options = options;
      this.entities.set(key, entity);
      // A new subscription replays retained messages.
      if (!known || !isSame) for (const [topic, payload] of kept) this.#hear(entity, topic, payload, true, heard);
    }
  }

  #hear(entity: Entity, topic: string, payload: string, replayed: boolean, heard: Heard[]): void {
    const { options } = entity;
    entity.availability.forEach((item, availability) => {
      const template = item.value_template;
      if (item.topic === topic) heard.push({ entity, options, availability, template, payload, replayed });
    });
    const template = options["value_template"] as string | undefined;
    if (options["state_topic"] === topic && options["platform"] !== "button")
      heard.push({ entity, options, template, payload, replayed });
  }

  #take({ entity, options, availability, template, payload, replayed }: Heard, results: Map<string, Rendered>): void {
    const name = options["unique_id"] as string;
    const rendered: Rendered = template === undefined ? { text: payload } : results.get(keyOf(template, payload))!;
    if ("error" in rendered) return void this.problems.push(`${name}: ${rendered.error} in ${template}`);
    const { text } = rendered;
    if (availability !== undefined) {
      if (text === "online") entity.available.add(availability);
      else if (text === "offline") entity.available.delete(availability);
      else this.problems.push(`${name}: availability ${text}`);
    } else this.#read(entity, options, name, text, replayed);
    this.#record(entity, options, name);
  }

  #read(entity: Entity, options: Json, name: string, text: string, replayed: boolean): void {
    const problem = (): void => void this.problems.push(`${name}: ${text}`);
    const platform = options["platform"];
    if (platform === "text") {
      entity.value = text;
      return;
    }
    if (platform === "event") {
      if (replayed) return;
      const event = JSON.parse(text) as Json;
      if (!(options["event_types"] as string[]).includes(event["event_type"] as string)) return problem();
      entity.events.push(event);
      // The state of an event entity is the time of the event.
      entity.value = `event ${entity.events.length}`;
      return;
    }
    if (text === NONE) entity.value = undefined;
    else if (platform === "sensor") {
      const { device_class, state_class, unit_of_measurement, suggested_display_precision } = options;
      const among = options["options"] as string[] | undefined;
      if (among && !among.includes(text)) return problem();
      const numeric =
        (device_class === "enum" ? undefined : device_class) ??
        state_class ??
        unit_of_measurement ??
        suggested_display_precision;
      if (text === "" || (numeric !== undefined && !Number.isFinite(Number(text))) || text.length > 255) problem();
      else entity.value = text;
    } else if (platform === "select") {
      if ((options["options"] as string[]).includes(text)) entity.value = text;
      else problem();
    } else if (platform === "number") {
      const number = Number(text);
      if (text === "" || !(number >= (options["min"] as number) && number <= (options["max"] as number))) problem();
      else entity.value = text;
    } else if (text === (options["state_on"] ?? options["payload_on"] ?? "ON")) entity.value = "on";
    else if (text === (options["state_off"] ?? options["payload_off"] ?? "OFF")) entity.value = "off";
    else problem();
  }

  #record(entity: Entity, options: Json, name: string): void {
    const { state, rows } = entity;
    if (options["platform"] === "text" && state !== "unavailable") {
      const { min, max, pattern } = options as { min: number; max: number; pattern: string };
      const fits = state.length >= min && state.length <= max && new RegExp(`^(?:${pattern})`, "v").test(state);
      if (!fits) this.problems.push(`${name}: ${state} is no text of ${min} to ${max} by ${pattern}`);
    }
    if (state !== rows.at(-1)) rows.push(state);
  }
}

/** Sum of a counter as in Home Assistant's statistics (sensor/recorder: reset_detected): a drop of over 10 % is a reset, a smaller one a warning. */
export function energySum(rows: readonly string[]): { sum: number; dips: number } {
  let sum = 0;
  let dips = 0;
  let last: number | undefined;
  for (const row of rows) {
    const value = Number(row);
    if (Number.isNaN(value)) continue;
    if (last !== undefined) {
      if (value < 0.9 * last) sum += value;
      else {
        if (value < last) dips++;
        sum += value - last;
      }
    }
    last = value;
  }
  return { sum, dips };
}
