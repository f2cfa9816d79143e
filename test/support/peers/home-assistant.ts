/**
 * The part of Home Assistant's device discovery payload that this device uses (platform pages and
 * https://www.home-assistant.io/integrations/mqtt/#device-discovery-payload): anything not listed here is reported as a problem.
 */

type Json = Record<string, unknown>;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  avty: "availability",
  avty_mode: "availability_mode",
  cmd_t: "command_topic",
  cmd_tpl: "command_template",
  cmps: "components",
  dev: "device",
  dev_cla: "device_class",
  en: "enabled_by_default",
  ent_cat: "entity_category",
  evt_typ: "event_types",
  exp_aft: "expire_after",
  json_attr_t: "json_attributes_topic",
  json_attr_tpl: "json_attributes_template",
  o: "origin",
  opt: "optimistic",
  ops: "options",
  p: "platform",
  pl_off: "payload_off",
  pl_on: "payload_on",
  pl_prs: "payload_press",
  stat_cla: "state_class",
  stat_off: "state_off",
  stat_on: "state_on",
  stat_t: "state_topic",
  sug_dsp_prc: "suggested_display_precision",
  t: "topic",
  uniq_id: "unique_id",
  unit_of_meas: "unit_of_measurement",
  val_tpl: "value_template",
};
const DEVICE_ABBREVIATIONS: Readonly<Record<string, string>> = {
  cns: "connections",
  cu: "configuration_url",
  hw: "hw_version",
  ids: "identifiers",
  mdl: "model",
  mf: "manufacturer",
  sn: "serial_number",
  sw: "sw_version",
};
const ORIGIN_ABBREVIATIONS: Readonly<Record<string, string>> = { sw: "sw_version", url: "support_url" };

const ROOT = ["device", "origin", "components", "availability", "availability_mode", "state_topic"];
const DEVICE = [
  "connections",
  "configuration_url",
  "hw_version",
  "identifiers",
  "manufacturer",
  "model",
  "name",
  "serial_number",
  "sw_version",
  "via_device",
];
const ENTITY = [
  "platform",
  "name",
  "unique_id",
  "availability",
  "availability_mode",
  "enabled_by_default",
  "entity_category",
  "json_attributes_topic",
  "json_attributes_template",
];
const READ = ["state_topic", "value_template"];
const WRITE = ["command_topic", "optimistic"];
const PLATFORMS: Readonly<Record<string, readonly string[]>> = {
  sensor: [
    ...READ,
    "device_class",
    "state_class",
    "unit_of_measurement",
    "suggested_display_precision",
    "expire_after",
    "options",
  ],
  binary_sensor: [...READ, "device_class", "payload_on", "payload_off", "expire_after"],
  switch: [...READ, ...WRITE, "payload_on", "payload_off", "state_on", "state_off"],
  number: [...READ, ...WRITE, "command_template", "device_class", "unit_of_measurement", "min", "max", "step", "mode"],
  text: [...READ, ...WRITE, "command_template", "min", "max", "mode", "pattern"],
  event: [...READ, "event_types"],
  select: [...READ, ...WRITE, "command_template", "options"],
  // What it inherits of the document but does not have is dropped (the button of its MQTT integration removes extra keys).
  button: ["command_topic", "payload_press", "device_class", "state_topic"],
};
/** https://www.home-assistant.io/integrations/sensor/#device-class; the classes in use, with their units and state classes. */
const SENSOR_CLASSES: Readonly<Record<string, { units: readonly string[]; states: readonly string[] }>> = {
  battery: { units: ["%"], states: ["measurement"] },
  voltage: { units: ["V", "mV"], states: ["measurement"] },
  current: { units: ["A", "mA"], states: ["measurement"] },
  power: { units: ["W", "kW"], states: ["measurement"] },
  temperature: { units: ["°C", "°F", "K"], states: ["measurement"] },
  duration: { units: ["d", "h", "min", "s", "ms"], states: ["measurement", "total", "total_increasing"] },
  signal_strength: { units: ["dB", "dBm"], states: ["measurement"] },
  data_size: { units: ["bit", "B", "kB", "MB", "KiB", "MiB"], states: ["measurement", "total", "total_increasing"] },
  energy: { units: ["Wh", "kWh", "MWh"], states: ["total", "total_increasing"] },
  // Without a unit.
  enum: { units: [""], states: [] },
};
/** https://www.home-assistant.io/integrations/button/#device-class */
const BUTTON_CLASSES = ["identify", "restart", "update"];
const BINARY_CLASSES = ["connectivity", "problem"];
const STATE_CLASSES = ["measurement", "total", "total_increasing"];
const CATEGORIES = ["config", "diagnostic"];
const TOPIC = /^[^+#\0]+$/;
const URL = /^https?:\/\/[\w.:-]+\/$/;

function long(object: Json, names: Readonly<Record<string, string>>): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [names[key] ?? key, value]));
}

/** The options of a component under their full names, including inherited ones. */
export function entityOf(root: Json, component: Json): Json {
  const entity = long(component, ABBREVIATIONS);
  for (const option of ["availability", "availability_mode", "state_topic"]) entity[option] ??= root[option];
  entity["availability"] = (entity["availability"] as Json[]).map((item) => long(item, ABBREVIATIONS));
  return entity;
}

/** A component with nothing but its platform is a removal. */
export const isRemoval = (component: Json): boolean => Object.keys(component).join() === "p";

export const rootOf = (document: Json): Json => long(document, ABBREVIATIONS);

/** Everything in `document` that Home Assistant would reject or not understand. */
export function problemsOf(document: Json): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => void (holds || problems.push(what));
  const known = (object: Json, names: readonly string[], where: string): void => {
    for (const key of Object.keys(object)) check(names.includes(key), `${where}: unknown key ${key}`);
  };
  const root = long(document, ABBREVIATIONS);
  known(root, ROOT, "document");
  const device = long((root["device"] ?? {}) as Json, DEVICE_ABBREVIATIONS);
  known(device, DEVICE, "device");
  check(Array.isArray(device["identifiers"]) && device["identifiers"].length > 0, "device: no identifiers");
  check(device["configuration_url"] === undefined || URL.test(device["configuration_url"] as string), "device: no URL");
  for (const connection of (device["connections"] ?? []) as unknown[][])
    check(connection.length === 2, "device: connection");
  const origin = long((root["origin"] ?? {}) as Json, ORIGIN_ABBREVIATIONS);
  known(origin, ["name", "sw_version", "support_url"], "origin");
  check(typeof origin["name"] === "string", "origin: no name");

  const ids = new Set<string>();
  const availability = (list: Json[], where: string): void => {
    for (const item of list.map((entry) => long(entry, ABBREVIATIONS))) {
      known(item, ["topic", "payload_available", "payload_not_available", "value_template"], where);
      check(TOPIC.test(item["topic"] as string), `${where}: availability topic`);
    }
  };
  availability((root["availability"] ?? []) as Json[], "document");
  check(["all", "any", "latest"].includes(root["availability_mode"] as string), "document: availability mode");

  const titles = new Set<string>();
  for (const [key, short] of Object.entries((root["components"] ?? {}) as Record<string, Json>)) {
    if (isRemoval(short)) {
      check((short["p"] as string) in PLATFORMS, `${key}: platform ${String(short["p"])}`);
      continue;
    }
    const entity = entityOf(root, short);
    const { platform } = entity;
    const names = PLATFORMS[platform as string];
    if (!names) {
      problems.push(`${key}: platform ${String(platform)}`);
      continue;
    }
    known(entity, [...ENTITY, ...names], key);
    check(/^[\w-]+$/.test(key), `${key}: key`);
    check(typeof entity["unique_id"] === "string" && !ids.has(entity["unique_id"]), `${key}: unique_id`);
    ids.add(entity["unique_id"] as string);
    check(typeof entity["name"] === "string" && entity["name"] !== "", `${key}: name`);
    check(!titles.has(entity["name"] as string), `${key}: another entity is named ${String(entity["name"])}`);
    titles.add(entity["name"] as string);
    availability(entity["availability"] as Json[], key);
    check(TOPIC.test(entity["state_topic"] as string), `${key}: state_topic`);
    if (names.includes("command_topic")) check(TOPIC.test(entity["command_topic"] as string), `${key}: command_topic`);
    const category = entity["entity_category"] as string | undefined;
    check(category === undefined || CATEGORIES.includes(category), `${key}: entity_category`);
    // Sensors cannot have the category "config".
    if (platform === "sensor" || platform === "binary_sensor") check(category !== "config", `${key}: config`);
    check([undefined, true, false].includes(entity["enabled_by_default"] as boolean), `${key}: enabled_by_default`);
    const expire = entity["expire_after"] as number | undefined;
    check(expire === undefined || (Number.isInteger(expire) && expire > 0), `${key}: expire_after`);
    problems.push(...checkOptions(key, entity));
  }
  return problems;
}

function checkOptions(key: string, entity: Json): string[] {
  const problems: string[] = [];
  const check = (holds: boolean, what: string): void => void (holds || problems.push(`${key}: ${what}`));
  const {
    platform,
    device_class: deviceClass,
    state_class: stateClass,
    unit_of_measurement: unit,
  } = entity as Record<string, string>;
  const { min, max, mode, step } = entity as { min: number; max: number; mode: string; step: number };
  switch (platform as "sensor" | "binary_sensor" | "button" | "number" | "select" | "text" | "event" | "switch") {
    case "sensor": {
      const rules = deviceClass === undefined ? undefined : SENSOR_CLASSES[deviceClass];
      check(deviceClass === undefined || rules !== undefined, `device_class ${deviceClass}`);
      check(stateClass === undefined || STATE_CLASSES.includes(stateClass), `state_class ${stateClass}`);
      if (rules) check(rules.units.includes(unit ?? ""), `unit ${unit} of ${deviceClass}`);
      const options = entity["options"] as string[] | undefined;
      // Neither without the other, and no state class, unit or precision.
      check((deviceClass === "enum") === (options !== undefined), "options");
      if (options) {
        check(options.length > 0 && new Set(options).size === options.length, "options");
        check(unit === undefined && entity["suggested_display_precision"] === undefined, "an enum with a unit");
      }
      if (rules && stateClass) check(rules.states.includes(stateClass), `state_class ${stateClass} of ${deviceClass}`);
      break;
    }
    case "binary_sensor":
      check(deviceClass === undefined || BINARY_CLASSES.includes(deviceClass), `device_class ${deviceClass}`);
      break;
    case "number":
      check(min < max, "range");
      check(step >= 0.001, "step");
      check(["auto", "box", "slider"].includes(mode), "mode");
      check(deviceClass === undefined || (SENSOR_CLASSES[deviceClass]?.units.includes(unit ?? "") ?? false), "unit");
      break;
    case "text":
      check(min <= max && max <= 255, "length");
      check(mode === "text" || mode === "password", "mode");
      check(typeof entity["pattern"] === "string" && !!new RegExp(entity["pattern"], "v"), "pattern");
      break;
    case "event":
      check(Array.isArray(entity["event_types"]) && entity["event_types"].length > 0, "event_types");
      break;
    case "select":
      check(new Set(entity["options"] as string[]).size > 0, "options");
      break;
    case "button":
      check(deviceClass === undefined || BUTTON_CLASSES.includes(deviceClass), `device_class ${deviceClass}`);
      break;
    case "switch":
  }
  return problems;
}
