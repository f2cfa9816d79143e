/** Requests over HTTP and MQTT that are wrong in themselves: none of them may do anything, whatever else is wrong at the time. */
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { TOKEN } from "../support/system/system";
import { text } from "./nasty";
import type { Random } from "./random";

const PACKS = ["", "/1", "/4", "/7"] as const;
/** Any of these is a name for a pack. */
const NAMED = "bluetooth_name";

const parameterOf = (random: Random): string => random.of(PARAMETERS_TABLE.filter(({ name }) => name !== NAMED)).name;

/** No switch position, and no number that any parameter may have. */
const nothing = (random: Random): string =>
  random.of([
    `${-1_000 - random.below(1e6)}`,
    `${1_001 + random.below(1e9)}.5`,
    `x${text(random)}`,
    "1e3",
    "NaN",
    "+",
    "0x1",
    "on off",
    "2147486",
    `${random.below(5)}.${random.below(1_000)},5`,
  ]);

/** A request as JSON: with a value that cannot be, or cut, or of what there is not. */
function wrongJson(random: Random): string {
  const isCommand = random.once(2);
  const named = isCommand
    ? { command: random.of(COMMANDS_TABLE).name, state: random.of(["on", "off"]) }
    : { setting: parameterOf(random), value: 3.4 };
  const whole = JSON.stringify(named);
  switch (random.below(3)) {
    case 0:
      return whole.slice(0, random.below(whole.length));
    case 1:
      return JSON.stringify(isCommand ? { ...named, state: nothing(random) } : { ...named, value: nothing(random) });
    default:
      return JSON.stringify(
        isCommand ? { ...named, command: nothing(random) } : { ...named, setting: nothing(random) },
      );
  }
}

export interface WrongMessage {
  /** Behind the base. */
  readonly topic: string;
  readonly payload: string;
}

export function wrongMessage(random: Random): WrongMessage {
  const pack = random.of(["", "pack/2/", "pack/4/", "pack/9/"]);
  switch (random.below(4)) {
    case 0:
      return { topic: `${pack}command/${random.of(COMMANDS_TABLE).name}/set`, payload: nothing(random) };
    case 1:
      return { topic: `${pack}setting/${parameterOf(random)}/set`, payload: nothing(random) };
    case 2:
      // The rule has it.
      return { topic: "relay/set", payload: random.of(["on", "1", "true", nothing(random)]) };
    default:
      return { topic: `${pack}request`, payload: wrongJson(random) };
  }
}

/** What is right but old: the broker keeps it. */
export function oldMessage(random: Random): WrongMessage {
  return random.once(2)
    ? { topic: `command/${random.of(COMMANDS_TABLE).name}/set`, payload: random.of(["on", "off"]) }
    : { topic: "setting/cell_ovp_voltage/set", payload: `${3.6 + random.below(40) / 1_000}` };
}

export interface WrongRequest {
  readonly path: string;
  readonly body: string;
  readonly token: string;
}

export function wrongRequest(random: Random): WrongRequest {
  if (random.once(4)) {
    // Right, but nobody may.
    const path = random.of(["/api/bms/commands", "/api/packs/2/commands", "/api/relay"]);
    const body = path === "/api/relay" ? '{"state":"on"}' : '{"command":"charge_mos","state":"off"}';
    return { path, body, token: random.of(["", `${TOKEN}x`, TOKEN.slice(1), "0"]) };
  }
  const path = random.of(PACKS);
  const kind = random.of(["commands", "settings"]);
  return { path: path ? `/api/packs${path}/${kind}` : `/api/bms/${kind}`, body: wrongJson(random), token: TOKEN };
}
