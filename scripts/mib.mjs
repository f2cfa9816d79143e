/**
 * Generates docs/BMS-MONITOR-MIB.txt from the firmware's tables; `--stdout` prints it instead, with the file's date. A text that has changed
 * gets another date: managers cache a MIB by it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { complete } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

const FILE = "docs/BMS-MONITOR-MIB.txt";
const before = readFileSync(FILE, "utf8");
const LAST_UPDATED = /LAST-UPDATED "(\d+Z)"/.exec(before)?.[1] ?? "";
const NOW = `${new Date().toISOString().replace(/\D/g, "").slice(0, 12)}Z`;
const FIRST = "202611230800Z";

await setUp();
const { bundle } = await import("./bundle.mjs");
const load = async (file, out) => import(resolve(await bundle(file, out)));
const { TELEMETRY_TABLE } = await load("src/catalogue/telemetry.ts", "mib-telemetry");
const { ALARMS_TABLE } = await load("src/catalogue/alarms.ts", "mib-alarms");
const { CONCERNS, DEVICE_CONDITIONS } = await load("src/conditions/table.ts", "mib-concerns");
const { syntaxOf } = await load("src/snmp/telemetry-syntax.ts", "mib-syntax");
const { FIRST_TELEMETRY } = await load("src/snmp/bank-mib.ts", "mib-bank");

const GROUPS = { "": "", info: "Info", pack: "Pack", cellsSummary: "Cells", temperatures: "Temperature" };
const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Description of a telemetry object, in addition to its title. */
const REMARKS = {
  alarmCode: "Bit n (of value 2 ** n) is row n + 1 of bmsAlarmTable.",
  current: "Positive when the pack is charged.",
  power: "Positive when the pack is charged.",
  manufactureDate: "YYMMDD.",
};

const MILLI = { V: "mV", A: "mA", Ah: "mAh" };

/** Unit of the transmitted integer. */
function unitsOf({ quantity: { decimals, unit } }) {
  if (!unit) return "";
  if (decimals === 3) return MILLI[unit];
  const words = unit === "°C" ? "degrees Celsius" : unit;
  return decimals ? `${10 ** -decimals} ${words}` : words;
}

const wrapped = (text, indent) => {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (String(lines.at(-1)).length + word.length + indent.length > 78) lines.push("");
    lines[lines.length - 1] += (lines.at(-1) && " ") + word;
  }
  return lines.join(`\n${indent}`);
};
const described = (text) => `    DESCRIPTION\n        "${wrapped(text, "         ")}"`;

const accessible = [];
/** Of several packs. */
const ofBank = [];

function object(name, place, syntax, description, { units = "", access = "read-only" } = {}) {
  if (access === "read-only") (/^bms(Bank|Packs)/.test(name) ? ofBank : accessible).push(name);
  return [
    `${name} OBJECT-TYPE`,
    `    SYNTAX      ${syntax}`,
    ...(units ? [`    UNITS       "${units}"`] : []),
    `    MAX-ACCESS  ${access}`,
    "    STATUS      current",
    described(description),
    `    ::= { ${place} }`,
  ].join("\n");
}

/**
 * A table. Columns: [name, syntax, description, units, number]; the first is the index, after the one given, if any. Numbers count from 1 unless
 * given.
 */
function table(name, place, description, columns, index = "") {
  const entry = `${name.replace("Table", "")}Entry`;
  const type = capital(entry);
  return [
    object(name, place, `SEQUENCE OF ${type}`, description, { access: "not-accessible" }),
    [
      `${entry} OBJECT-TYPE`,
      `    SYNTAX      ${type}`,
      "    MAX-ACCESS  not-accessible",
      "    STATUS      current",
      described("A row."),
      `    INDEX       { ${index && `${index}, `}${columns[0][0]} }`,
      `    ::= { ${name} 1 }`,
    ].join("\n"),
    [
      `${type} ::= SEQUENCE {`,
      // Nothing aligned, and each comma in front of its row: a new row changes one line, and branches with a row each merge.
      `      ${columns.map(([column, syntax]) => `${column} ${syntax.replace(/ [({].*/s, "")}`).join("\n    , ")}`,
      "}",
    ].join("\n"),
    ...columns.map(([column, syntax, text, units, number], at) =>
      object(column, `${entry} ${number ?? at + 1}`, syntax, text, {
        units,
        access: at ? "read-only" : "not-accessible",
      }),
    ),
  ];
}

const ROWS = [...TELEMETRY_TABLE].sort((one, other) => one.object - other.object);
const memberOf = ({ path }) => path.split(".").at(-1);
// Without the unit of the other interfaces: here it is the one in UNITS.
const nameOf = ({ path }) =>
  `${GROUPS[path.split(".").at(-2) ?? ""]}${capital(path.split(".").at(-1)).replace(/Ah$/, "")}`;
const textOf = (row) => [`${row.title}.`, REMARKS[memberOf(row)]].filter(Boolean).join(" ");

const telemetry = ROWS.map((row) =>
  object(`bms${nameOf(row)}`, `bmsTelemetry ${row.object}`, syntaxOf(row), textOf(row), { units: unitsOf(row) }),
);

const cells = table("bmsCellTable", "bmsMonitorObjects 2", "The cells that the BMS sees. Empty while it is offline.", [
  ["bmsCellNumber", "Integer32 (1..32)", "The cell's place in the pack."],
  ["bmsCellVoltage", "Unsigned32", "Its voltage.", "mV"],
  ["bmsCellWireResistance", "Unsigned32", "The resistance of its balance lead, as the BMS measures it.", "milliohm"],
]);

const alarms = table(
  "bmsAlarmTable",
  "bmsMonitorObjects 3",
  `All alarms that the BMS can report: ${ALARMS_TABLE.map(({ name }, bit) => `${bit + 1} ${name}`).join(", ")}.`,
  [
    ["bmsAlarmNumber", "Integer32 (1..32)", "The alarm's bit in bmsAlarmCode, counted from 1."],
    ["bmsAlarmName", "DisplayString", "Its name, for programs; it never changes."],
    ["bmsAlarmTitle", "DisplayString", "Its display name."],
    ["bmsAlarmFault", "TruthValue", "False: a state or a reminder, nothing that is wrong with the pack."],
    ["bmsAlarmActive", "TruthValue", "Whether the BMS reports it now. Not there while the BMS is offline."],
  ],
);

const writes = [
  object("bmsWritePending", "bmsWrites 1", "TruthValue", "A write to the BMS waits or is under way."),
  object(
    "bmsLastWrite",
    "bmsWrites 2",
    "DisplayString",
    "How the last write ended, in a sentence; empty before the first.",
  ),
  object(
    "bmsLastWriteOk",
    "bmsWrites 3",
    "TruthValue",
    "Whether the BMS confirmed the last write. Not there before the first one.",
  ),
  object(
    "bmsListening",
    "bmsWrites 4",
    "TruthValue",
    "Another master is on the bus: the device sends nothing, shows what it hears, and refuses writes.",
  ),
];

const relay = [
  object("bmsRelayName", "bmsRelay 1", "DisplayString", "The relay's name."),
  object("bmsRelayOn", "bmsRelay 2", "TruthValue", "Whether it is switched on."),
  object(
    "bmsRelayMode",
    "bmsRelay 3",
    "INTEGER { manual(0), automatic(1), disabled(2) }",
    "Who controls it: users, the rule in the settings, or nobody.",
  ),
];

/** [name, syntax, description, units], by number. */
const BANK = [
  ["PackCount", "Unsigned32", "Packs of the settings."],
  ["PacksOnline", "Unsigned32", "How many of them answer."],
  ["Complete", "TruthValue", "Whether all of them do."],
  ["Soc", "Integer32", "State of charge, weighted by capacity. Like all sums, of the packs that answer.", "0.1 %"],
  ["Capacity", "Integer32", "Capacity.", "mAh"],
  ["RemainingCapacity", "Integer32", "Remaining capacity.", "mAh"],
  ["Voltage", "Integer32", "Mean voltage of the packs that answer.", "mV"],
  ["Current", "Integer32", `Current. ${REMARKS.current}`, "mA"],
  ["Power", "Integer32", `Power. ${REMARKS.power}`, "0.01 W"],
  ["MinCellVoltage", "Integer32", "Voltage of the lowest cell.", "mV"],
  ["MinCellPack", "Unsigned32", "Address of its pack."],
  ["MinCell", "Unsigned32", "Its place in the pack."],
  ["MaxCellVoltage", "Integer32", "Voltage of the highest cell.", "mV"],
  ["MaxCellPack", "Unsigned32", "Address of its pack."],
  ["MaxCell", "Unsigned32", "Its place in the pack."],
  ["MaxDelta", "Integer32", "Widest difference between the cells of a pack.", "mV"],
  ["MaxDeltaPack", "Unsigned32", "Address of that pack."],
  ["MaxTemperature", "Integer32", "Highest temperature of a battery probe.", "0.1 degrees Celsius"],
  ["MaxTemperaturePack", "Unsigned32", "Address of its pack."],
];
const bank = BANK.map(([name, syntax, description, units = ""], at) =>
  object(`bmsBank${name}`, `bmsBank ${at + 1}`, syntax, description, { units }),
);

const ADDRESS = "bmsPacksAddress";
const packs = [
  ...table(
    "bmsPacksTable",
    "bmsMonitorObjects 9",
    "The packs, of several. All columns of bmsTelemetry, ten numbers higher.",
    [
      [ADDRESS, "Integer32 (0..15)", "The pack's address on the bus."],
      ["bmsPacksGivenName", "DisplayString", "Its name in the settings."],
      [
        "bmsPacksSwapped",
        "TruthValue",
        "Whether another pack than before answers at its address; until it is accepted, nothing is written to it.",
      ],
      ["bmsPacksAge", "Unsigned32", "Age of its telemetry. Not there before the first reply.", "seconds"],
      ["bmsPacksConcerns", "DisplayString", "What needs attention of it, as in bmsConcerns; empty: it is well."],
      // bmsPackVoltage becomes bmsPacksVoltage.
      ...ROWS.map((row) => [
        `bmsPacks${nameOf(row).replace(/^Pack/, "")}`,
        syntaxOf(row),
        textOf(row),
        unitsOf(row),
        row.object + FIRST_TELEMETRY,
      ]),
    ],
  ),
  ...table(
    "bmsPacksCellTable",
    "bmsMonitorObjects 10",
    "The cells that the BMSs of several packs see. Without those of a pack that is offline.",
    [
      ["bmsPacksCellNumber", "Integer32 (1..32)", "The cell's place in the pack."],
      ["bmsPacksCellVoltage", "Unsigned32", "Its voltage.", "mV"],
      ["bmsPacksCellWireResistance", "Unsigned32", "The resistance of its balance lead.", "milliohm"],
    ],
    ADDRESS,
  ),
  ...table(
    "bmsPacksAlarmTable",
    "bmsMonitorObjects 11",
    "Of several packs the alarms of each, as in bmsAlarmTable.",
    [
      ["bmsPacksAlarmNumber", "Integer32 (1..32)", "The alarm's bit in bmsPacksAlarmCode, counted from 1."],
      ["bmsPacksAlarmName", "DisplayString", "Its name, for programs; it never changes."],
      ["bmsPacksAlarmTitle", "DisplayString", "Its display name."],
      ["bmsPacksAlarmFault", "TruthValue", "False: a state or a reminder, nothing that is wrong with the pack."],
      ["bmsPacksAlarmActive", "TruthValue", "Whether the BMS reports it now. Not there while the pack is offline."],
    ],
    ADDRESS,
  ),
];

const energy = [
  object(
    "bmsEnergyCharged",
    "bmsEnergy 1",
    "Counter32",
    "Energy that went into the pack since the device was first started.",
    {
      units: "Wh",
    },
  ),
  object("bmsEnergyDischarged", "bmsEnergy 2", "Counter32", "Energy that came out of it.", { units: "Wh" }),
];

const monitor = [
  object(
    "bmsSafeMode",
    "bmsMonitor 1",
    "TruthValue",
    "Whether the monitor is in safe mode: it restarted repeatedly and does not read the BMS, whatever its cable.",
  ),
  object(
    "bmsConcerns",
    "bmsMonitor 2",
    "DisplayString",
    `What needs attention, of several packs of any of them: codes with blanks between them, the most urgent first; empty: all is well. The codes: ${CONCERNS.join(", ")}.`,
  ),
  object(
    "bmsMonitorConcerns",
    "bmsMonitor 3",
    "DisplayString",
    `What needs attention of the monitor itself: codes with blanks between them. The codes: ${DEVICE_CONDITIONS.join(", ")}.`,
  ),
  object(
    "bmsSettingChange",
    "bmsMonitor 4",
    "DisplayString",
    "The last setting of a pack that has changed, and not by a confirmed write of the monitor: as in its log, of several packs with the pack; empty: none since SNMP was switched on.",
  ),
];

const PACK_ALARM = ["bmsPacksAlarmName", "bmsPacksAlarmTitle"];
/** @type {[name: string, objects: string[], text: string][]} */
const NOTIFICATIONS = [
  ["bmsCameOnline", [], "The BMS answers."],
  ["bmsWentOffline", [], "The BMS does not answer any more."],
  ["bmsAlarmRaised", ["bmsAlarmName", "bmsAlarmTitle"], "The BMS reports an alarm that it did not report before."],
  ["bmsAlarmCleared", ["bmsAlarmName", "bmsAlarmTitle"], "The BMS does not report the alarm any more."],
  ["bmsRelayChanged", ["bmsRelayName", "bmsRelayOn"], "The relay was switched."],
  ["bmsTest", [], "A test that a user asked for."],
  ["bmsPackCameOnline", ["bmsPacksGivenName"], "A pack other than the first answers."],
  ["bmsPackWentOffline", ["bmsPacksGivenName"], "A pack other than the first does not answer any more."],
  ["bmsPackAlarmRaised", PACK_ALARM, "A pack other than the first reports an alarm that it did not report before."],
  ["bmsPackAlarmCleared", PACK_ALARM, "A pack other than the first does not report the alarm any more."],
  [
    "bmsConcernsChanged",
    ["bmsConcerns"],
    "Something of the first pack needs attention, or does not any more; without alarms.",
  ],
  [
    "bmsPackConcernsChanged",
    ["bmsPacksGivenName", "bmsPacksConcerns"],
    "Something of a pack other than the first needs attention, or does not any more; without alarms.",
  ],
  [
    "bmsMonitorConcernsChanged",
    ["bmsMonitorConcerns"],
    "Something of the monitor itself needs attention, or does not any more.",
  ],
  [
    "bmsSettingChanged",
    ["bmsSettingChange"],
    "A setting of a pack, of any, has changed, and not by a confirmed write of the monitor.",
  ],
];
const notifications = NOTIFICATIONS.map(([name, objects, text], at) =>
  [
    `${name} NOTIFICATION-TYPE`,
    ...(objects.length ? [`    OBJECTS     { ${objects.join(", ")} }`] : []),
    "    STATUS      current",
    described(text),
    `    ::= { bmsMonitorNotifications ${at + 1} }`,
  ].join("\n"),
);

const notificationNames = NOTIFICATIONS.map(([name]) => name);
const list = (names) => `{\n          ${names.join("\n        , ")}\n    }`;
const identifier = (name, place) => `${name} OBJECT IDENTIFIER ::= { ${place} }`;

const text = `${[
  `BMS-MONITOR-MIB DEFINITIONS ::= BEGIN

-- Made by scripts/mib.mjs from the firmware's tables: not to be edited.

IMPORTS
    MODULE-IDENTITY, OBJECT-TYPE, NOTIFICATION-TYPE,
    Integer32, Unsigned32, Counter32, enterprises
        FROM SNMPv2-SMI
    DisplayString, TruthValue
        FROM SNMPv2-TC
    MODULE-COMPLIANCE, OBJECT-GROUP, NOTIFICATION-GROUP
        FROM SNMPv2-CONF;`,
  `bmsMonitorMIB MODULE-IDENTITY
    LAST-UPDATED "${LAST_UPDATED}"
    ORGANIZATION "jk-bms-monitor"
    CONTACT-INFO
        "The repository of jk-bms-monitor."
${described(
  "A monitor of a JIKONG (JK) battery-management system. What is not known at the moment is not there: while the BMS is " +
    "offline that is all telemetry but bmsOnline. The module lies below Net-SNMP's arc for private experiments " +
    "(netSnmpPlaypen).",
)}
    REVISION     "${LAST_UPDATED}"
${described("Several packs on one bus: bmsBank, the tables of the packs, and their notifications.")}
    REVISION     "${FIRST}"
${described("The first one.")}
    ::= { enterprises netSnmp(8072) netSnmpExperimental(9999) netSnmpPlaypen(9999) 485 }`,
  [
    identifier("bmsMonitorNotifications", "bmsMonitorMIB 0"),
    identifier("bmsMonitorObjects", "bmsMonitorMIB 1"),
    identifier("bmsMonitorConformance", "bmsMonitorMIB 2"),
    identifier("bmsTelemetry", "bmsMonitorObjects 1"),
    identifier("bmsWrites", "bmsMonitorObjects 4"),
    identifier("bmsRelay", "bmsMonitorObjects 5"),
    identifier("bmsEnergy", "bmsMonitorObjects 6"),
    identifier("bmsMonitor", "bmsMonitorObjects 7"),
    identifier("bmsBank", "bmsMonitorObjects 8"),
    identifier("bmsMonitorCompliances", "bmsMonitorConformance 1"),
    identifier("bmsMonitorGroups", "bmsMonitorConformance 2"),
  ].join("\n"),
  "-- Telemetry",
  ...telemetry,
  "-- Cells",
  ...cells,
  "-- Alarms",
  ...alarms,
  "-- Writes to the BMS",
  ...writes,
  "-- Relay; not there when none is fitted",
  ...relay,
  "-- Energy",
  ...energy,
  "-- The monitor itself",
  ...monitor,
  "-- Several packs; not there with one",
  ...bank,
  ...packs,
  "-- Notifications",
  ...notifications,
  "-- Conformance",
  `bmsMonitorObjectGroup OBJECT-GROUP
    OBJECTS ${list(accessible)}
    STATUS      current
${described("All objects of one pack.")}
    ::= { bmsMonitorGroups 1 }`,
  `bmsMonitorNotificationGroup NOTIFICATION-GROUP
    NOTIFICATIONS ${list(notificationNames.filter((name) => !name.startsWith("bmsPack")))}
    STATUS      current
${described("All notifications of one pack.")}
    ::= { bmsMonitorGroups 2 }`,
  `bmsBankObjectGroup OBJECT-GROUP
    OBJECTS ${list(ofBank)}
    STATUS      current
${described("What there is with several packs.")}
    ::= { bmsMonitorGroups 3 }`,
  `bmsBankNotificationGroup NOTIFICATION-GROUP
    NOTIFICATIONS ${list(notificationNames.filter((name) => name.startsWith("bmsPack")))}
    STATUS      current
${described("Notifications of further packs.")}
    ::= { bmsMonitorGroups 4 }`,
  `bmsMonitorCompliance MODULE-COMPLIANCE
    STATUS      current
${described("What the firmware offers.")}
    MODULE
        MANDATORY-GROUPS {
            bmsMonitorObjectGroup, bmsMonitorNotificationGroup, bmsBankObjectGroup, bmsBankNotificationGroup
        }
    ::= { bmsMonitorCompliances 1 }`,
  "END",
].join("\n\n")}\n`;

if (process.argv.includes("--stdout")) process.stdout.write(text);
else if (text !== before) writeFileSync(FILE, complete(FILE, text.replaceAll(`"${LAST_UPDATED}"`, `"${NOW}"`)));
