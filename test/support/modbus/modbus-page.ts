/** Generates docs/modbus.md from the firmware's tables and the published models: `node scripts/modbus-docs.mjs` writes it, a test compares it. */
import { format } from "prettier";
import { ALARMS_TABLE } from "../../../src/catalogue/alarms";
import { ofRow } from "../../../src/conditions/set";
import { CONCERNS } from "../../../src/conditions/table";
import { conditionEvents, eventsOf } from "../../../src/modbus/events";
import * as limits from "../../../src/modbus/limits";
import * as models from "../../../src/modbus/models";
import * as V from "../../../src/modbus/values";
import { definitionOf, lengthOf, type Point } from "./sunspec";

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n");
};

/** What a value is, and how the own block has it: without a unit it is a number. */
const MEANINGS: Readonly<Record<number, readonly [meaning: string, own?: string]>> = {
  [V.CHARGE]: ["state of charge, `soc`", "0.1 %"],
  [V.VOLTAGE]: ["voltage; of several packs the mean", "1 mV"],
  [V.CURRENT]: ["current", "1 mA, positive while charging"],
  [V.POWER]: ["power", "0.01 W, positive while charging"],
  [V.REMAINING]: ["remaining capacity", "1 mAh"],
  [V.CAPACITY]: ["capacity, `capacityAh`, of the packs that are online", "1 mAh"],
  [V.HEALTH]: ["state of health; of several packs the least", "1 %"],
  [V.CYCLES]: ["cycles; of several packs the most", "1"],
  [V.LOWEST_CELL]: ["voltage of the lowest cell", "1 mV"],
  [V.HIGHEST_CELL]: ["voltage of the highest cell", "1 mV"],
  [V.CELL_DELTA]: ["difference of the cells; of several packs the greatest within one", "1 mV"],
  [V.COLDEST]: ["lowest temperature of the battery probes", "0.1 °C"],
  [V.HOTTEST]: ["highest temperature of the battery probes", "0.1 °C"],
  [V.CONDITIONS]: ["[what needs attention](#what-needs-attention); of several packs all bits"],
  [V.ALARMS]: ["the BMS's alarm word, `alarmCode`; of several packs all bits", "bits"],
  [V.CHARGES]: ["1: the charge MOSFET of at least one pack conducts", "0, 1"],
  [V.DISCHARGES]: ["1: the discharge MOSFET of at least one pack conducts", "0, 1"],
  [V.PACKS]: ["packs", "1"],
  [V.ONLINE]: ["packs that answer", "1"],
  [V.CHARGED]: ["energy charged since the first start; unknown of one of several packs", "1 Wh"],
  [V.DISCHARGED]: ["energy discharged since the first start; unknown of one of several packs", "1 Wh"],
  [V.ENERGY]: ["capacity times nominal voltage: 3.2 V a cell of LiFePO4, 3.7 V of Li-ion, 2.4 V of LTO"],
  [V.AVAILABLE]: ["remaining capacity times nominal voltage"],
  [V.CHARGE_RATE]: ["the setup's maximum charge current times nominal voltage"],
  [V.DISCHARGE_RATE]: ["the setup's maximum discharge current times nominal voltage"],
  [V.CHARGE_LIMIT]: ["the setup's maximum charge current"],
  [V.DISCHARGE_LIMIT]: ["the setup's maximum discharge current"],
  [V.DEPTH]: ["100 % less the state of charge"],
  [V.CHARGE_STATE]: ["2 empty, 3 discharging, 4 charging, 5 full, 6 at rest (below 0.2 A)"],
  [V.STATE]: ["3 connected: a MOSFET conducts; 1 disconnected; 99 disconnected with a fault"],
  [V.SEVERITY]: ["0 OK; 1 warning: a fault; 2 error: a fault, and no MOSFET conducts"],
  [V.HEARTBEAT]: ["seconds since the start of the device, to 65534"],
  [V.EVENTS]: ["[events](#alarms)"],
  [V.LOWEST_PLACE]: ["its pack, from 1, in the order of the settings"],
  [V.LOWEST_NUMBER]: ["its cell, from 1"],
  [V.HIGHEST_PLACE]: ["its pack, from 1, in the order of the settings"],
  [V.HIGHEST_NUMBER]: ["its cell, from 1"],
  [V.AVERAGE_CELL]: ["mean voltage of the cells"],
  [V.MIDDLE]: ["the middle between the lowest and the highest temperature"],
  [V.CONTACTORS]: ["bit 0: the charge MOSFET conducts, bit 1: the discharge MOSFET"],
  [V.STATUS]: ["bit 0: it answers, bit 1: a MOSFET conducts"],
  [V.CELLS]: ["cells"],
  [V.PLACE]: ["the pack, from 1, in the order of the settings"],
  [V.CONNECTED]: ["packs of which a MOSFET conducts"],
  [V.UNIT]: ["the unit asked for"],
  [V.OPERATION]: ["1 connect or 2 disconnect: what the battery does, not what it was ordered"],
  [V.POWER_SCALE]: ["0 of one pack, 1 of several"],
  [V.ENERGY_SCALE]: ["1 of one pack, 2 of several"],
  [V.CAPACITY_SCALE]: ["-1 of one pack, 0 of several"],
};

const TEXTS: Readonly<Record<number, string>> = {
  [models.MANUFACTURER]: "`jk-bms-monitor`",
  [models.MODEL]: "model of the (first) pack; `JK BMS` until it has reported it",
  [models.VERSION]: "version of this firmware",
  [models.SERIAL]: "MAC address of the device; of a pack's unit with `-` and its address",
  [models.NAMELESS]: "empty",
  [models.BMS_SERIAL]: "serial number of the BMS",
};

/** The types that a kind of the firmware's table may stand for. */
const TYPES: Readonly<Record<number, readonly string[]>> = {
  [models.UNSIGNED]: ["uint16", "enum16"],
  [models.LONG]: ["uint32", "bitfield32"],
  [models.HUGE]: ["uint64"],
  [models.SIGNED]: ["int16", "sunssf"],
  [models.TEXT]: ["string"],
};

/** Constants that need a reason. */
const REASONS: Readonly<Record<string, string>> = {
  SoCRsvMin: "evcc looks for it; there is no reserve to be set",
  LocRemCtl: "local: nobody commands the battery by Modbus",
  AlmRst: "nothing to be reset",
  Typ: "lithium-ion",
  NPrt: "no ports: the counters of the whole",
};

/** What says more than its value alone. */
const NAMED: Readonly<Record<string, string>> = { StrVAvg: "mean voltage of the packs" };

/** Begins what the models of packs have no use for. */
const OF_SEVERAL = "; of several packs";

interface Filled {
  readonly point: Point;
  /** Undefined: not implemented. */
  readonly contents: string | undefined;
}

/** "Not implemented", of a register; of a pad it has to be. */
const ABSENT = { signed: 0x8000, unsigned: 0xffff };
const SIGNED_TYPES: readonly string[] = ["int16", "sunssf", "pad"];

/** What the firmware's `table`, with its image, puts into the published `points`. Throws if they do not fit them. */
export function filled(points: readonly Point[], table: Int32Array): Filled[] {
  const image = Buffer.from(models.imageOf(table));
  const found = new Map<number, number>();
  for (const entry of table) found.set((entry >> models.AT) / 2, entry);
  const taken = new Set<number>();
  const all = points.map((point): Filled => {
    const { name, offset, registers, type } = point;
    const ill = new Error(`${name} at ${offset} is a ${type}`);
    const entry = found.get(offset);
    if (entry === undefined) {
      const words = [...Array(registers).keys()].map((word) => image.readUInt16BE(2 * (offset + word)));
      const absent = SIGNED_TYPES.includes(type) ? ABSENT.signed : ABSENT.unsigned;
      if (words.every((word) => word === absent)) return { point, contents: undefined };
      const [value] = words;
      if (type === "pad" || words.some((word) => word !== value || word === absent)) throw ill;
      const reason = REASONS[name];
      const number = SIGNED_TYPES.includes(type) ? image.readInt16BE(2 * offset) : Number(value);
      return { point, contents: reason ? `${number}: ${reason}` : String(number) };
    }
    taken.add(offset);
    const kind = (entry >> models.KIND) & 7;
    const value = entry & models.VALUE;
    if (!TYPES[kind]?.includes(type)) throw ill;
    if (kind === models.TEXT && 8 * ((entry >> V.SCALE) & 7) !== registers) throw ill;
    const contents = kind === models.TEXT ? TEXTS[value] : MEANINGS[value]?.[0];
    if (!contents) throw new Error(`${name}: what is ${value}?`);
    return { point, contents };
  });
  for (const offset of found.keys()) if (!taken.has(offset)) throw new Error(`no point at ${offset}`);
  return all;
}

function mapOf(title: string, rows: readonly Filled[], ofPack = true): string {
  const none = rows.filter(({ contents, point: { type } }) => contents === undefined && type !== "pad");
  const points = rows.flatMap(({ point: { name, offset, type, factor }, contents }) =>
    contents === undefined
      ? []
      : [
          [
            ...[String(offset), `\`${name}\``, type, factor && `\`${factor}\``],
            NAMED[name] ?? (ofPack ? (contents.split(OF_SEVERAL, 1)[0] ?? "") : contents),
          ],
        ],
  );
  return [
    `#### ${title}`,
    table(
      ["Offset", "Point", "Type", "Scale factor", "Contents"],
      points.map((cells) => cells.map(String)),
    ),
    none.length ? `Not implemented: ${none.map(({ point: { name } }) => `\`${name}\``).join(", ")}.` : "",
  ].join("\n\n");
}

/** What is published of the registers that the firmware's table has: of 804 with its one module. */
export function publishedOf({ id, words }: models.Model): readonly Point[] {
  const { points, repeated } = definitionOf(id);
  const behind = lengthOf(points);
  if (words !== behind + lengthOf(repeated) || id === models.BANK.id) return points;
  return [...points, ...repeated.map((point) => ({ ...point, offset: point.offset + behind }))];
}

function modelOf(model: models.Model): string {
  const { id, points } = model;
  const { title, repeated } = definitionOf(id);
  const rows = filled(publishedOf(model), points).filter(({ point: { offset } }) => offset > 1);
  const each =
    id === models.BANK.id
      ? mapOf("803, for each pack: offsets from its first register", filled(repeated, models.EACH))
      : "";
  const cells =
    id === models.MODULE.id
      ? `#### 805, for each of ${limits.MODULE_CELLS} cells\n\n\`CellV\`, the cell's voltage, \`CellV_SF\`; of a cell that is not there it is not implemented. Not implemented either: \`CellTmp\` and \`CellSt\`, which the BMS does not report.`
      : "";
  return [mapOf(`${id}: ${title}`, rows, models.PACK_CHAIN.includes(model) && id !== 802), each, cells]
    .filter(Boolean)
    .join("\n\n");
}

/** Registers of a chain, model by model. */
function chain(title: string, of: readonly models.Model[], each: string): string {
  let at = limits.SUNSPEC_BASE;
  const rows = of.map((model) => {
    const { id, words } = model;
    const grows = model === models.BANK;
    const name = id === 0x5375 ? "`SunS`" : id === 0xffff ? "end: 0xFFFF, 0" : `${id}: ${definitionOf(id).title}`;
    const cells = [at < 0 ? "behind it" : String(at), grows ? `${words} ${each}` : String(words), name];
    at = grows ? -1 : at + words;
    return cells;
  });
  return `${title}\n\n${table(["Register", "Registers", "Model"], rows)}`;
}

/** Why an alarm is the event that it is. */
const ALARM_REASONS: Readonly<Record<string, string>> = {
  wire_resistance: "a worn lead: the pack works on",
  mosfet_overtemperature: "too hot, whichever part",
  cell_count: "the setting contradicts the pack",
  current_sensor: "no event for sensors",
  fully_charged: "a status",
  battery_overvoltage: "",
  charge_overcurrent: "",
  charge_short_circuit: "the worst over-current",
  charge_overtemperature: "",
  charge_undertemperature: "",
  internal_communication: "within the BMS",
  cell_undervoltage: "one cell is enough for the BMS to cut off",
  battery_undervoltage: "",
  discharge_overcurrent: "",
  discharge_short_circuit: "the worst over-current",
  discharge_overtemperature: "",
  charge_mosfet: "the MOSFETs are its contactors",
  discharge_mosfet: "the MOSFETs are its contactors",
  gps_disconnected: "does not concern the battery",
  change_password: "a reminder",
  discharge_on_failed: "the MOSFETs are its contactors",
  battery_overtemperature: "",
  temperature_sensor: "no event for sensors",
  parallel_module: "no event for it",
  short_circuit_release: "no event for it; the short circuit has its own",
  discharge_overcurrent_2: "",
  discharge_overcurrent_3: "",
  discharge_undertemperature: "",
  gps_lock: "somebody has locked the pack",
  cell_overvoltage: "one cell is enough for the BMS to cut off",
};

const EVENTS: readonly string[] =
  "COMMUNICATION_ERROR OVER_TEMP_ALARM OVER_TEMP_WARNING UNDER_TEMP_ALARM UNDER_TEMP_WARNING OVER_CHARGE_CURRENT_ALARM OVER_CHARGE_CURRENT_WARNING OVER_DISCHARGE_CURRENT_ALARM OVER_DISCHARGE_CURRENT_WARNING OVER_VOLT_ALARM OVER_VOLT_WARNING UNDER_VOLT_ALARM UNDER_VOLT_WARNING UNDER_SOC_MIN_ALARM UNDER_SOC_MIN_WARNING OVER_SOC_MAX_ALARM OVER_SOC_MAX_WARNING VOLTAGE_IMBALANCE_WARNING TEMPERATURE_IMBALANCE_ALARM TEMPERATURE_IMBALANCE_WARNING CONTACTOR_ERROR FAN_ERROR GROUND_FAULT OPEN_DOOR_ERROR CURRENT_IMBALANCE_WARNING OTHER_ALARM OTHER_WARNING RESERVED_1 CONFIGURATION_ALARM CONFIGURATION_WARNING".split(
    " ",
  );

/** The events' bits and names; a dash: none. */
const namesOf = (events: number): string =>
  EVENTS.flatMap((name, bit) => ((events >>> bit) & 1 ? [`${bit} \`${name}\``] : [])).join(", ") || "–";
/** Those of an alarm's bit. */
export const eventOf = (bit: number): string => namesOf(eventsOf(1 << bit));

const conditions = (): string =>
  table(
    ["Bit", "Condition", "Events"],
    CONCERNS.map((code, bit) => [bit < 31 ? String(bit) : "none", `\`${code}\``, namesOf(conditionEvents(ofRow(bit)))]),
  );

const alarms = (): string =>
  table(
    ["Bit", "Alarm", "Event", "Reason, unless the names agree"],
    ALARMS_TABLE.map(({ name, title }, bit) => {
      const reason = ALARM_REASONS[name];
      if (reason === undefined) throw new Error(`no reason for ${name}`);
      return [String(bit), title, eventOf(bit), reason];
    }),
  );

const ownBlock = (): string =>
  table(
    ["Register", "Value", "Unit"],
    Array.from(V.OWN, (value, index) => {
      const [meaning, unit] = MEANINGS[value.charCodeAt(0)] ?? [];
      if (!meaning || !unit) throw new Error(`value ${index} of the own block?`);
      return [String(limits.OWN_BASE + 2 * index), meaning, unit];
    }),
  );

/** Every model once, in the order of the numbers. */
const allModels = (): string =>
  [...new Map([...models.BANK_CHAIN, ...models.PACK_CHAIN].map((model) => [model.id, model])).values()]
    .filter(({ id }) => id !== 0x5375 && id !== 0xffff)
    .sort((one, other) => one.id - other.id)
    .map((model) => {
      const { id, words } = model;
      const each = id === models.MODULE.id ? limits.MODULE_CELLS * lengthOf(definitionOf(id).repeated) : 0;
      if (lengthOf(publishedOf(model)) + each !== words) throw new Error(`length of ${id}`);
      return modelOf(model);
    })
    .join("\n\n");

const PLACES: Readonly<Record<string, () => string>> = {
  chains: () =>
    [
      chain("Unit 1, the bank:", models.BANK_CHAIN, `+ ${models.EACH_PACK} for each pack`),
      chain("The unit of a pack:", models.PACK_CHAIN, ""),
    ].join("\n\n"),
  own: ownBlock,
  alarms,
  conditions,
  models: allModels,
};

/** The page: `text` with what is between `<!-- NAME -->` and `<!-- end -->` made anew. */
export async function modbusPage(text: string): Promise<string> {
  for (const [name, made] of Object.entries(PLACES)) {
    const begin = `<!-- ${name} -->`;
    const from = text.indexOf(begin);
    const to = text.indexOf("<!-- end -->", from);
    if (from < 0 || to < 0) throw new Error(`docs/modbus.md has no ${begin}`);
    text = `${text.slice(0, from + begin.length)}\n\n${made()}\n\n${text.slice(to)}`;
  }
  return format(text, { parser: "markdown", printWidth: 140 });
}
