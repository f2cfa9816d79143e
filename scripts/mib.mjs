/**
 * Generates docs/BMS-MONITOR-MIB.txt from the firmware's tables; `--stdout` prints it instead. When the text changes,
 * update LAST_UPDATED as well: managers cache a MIB by that date.
 */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { complete } from "./docs/generated.mjs";
import { setUp } from "./setup.mjs";

const FILE = "docs/BMS-MONITOR-MIB.txt";
const LAST_UPDATED = "202611230800Z";

await setUp();
const { bundle } = await import("./bundle.mjs");
const load = async (file, out) => import(resolve(await bundle(file, out)));
const { TELEMETRY_TABLE } = await load("src/catalogue/telemetry.ts", "mib-telemetry");
const { ALARMS_TABLE } = await load("src/catalogue/alarms.ts", "mib-alarms");
const { syntaxOf } = await load("src/snmp/telemetry-syntax.ts", "mib-syntax");

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

function object(name, place, syntax, description, { units = "", access = "read-only" } = {}) {
  if (access === "read-only") accessible.push(name);
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

/** A table with a single index. Columns: [name, syntax, description, units]; the first is the index. */
function table(name, place, description, columns) {
  const entry = `${name.replace("Table", "")}Entry`;
  const type = capital(entry);
  const width = Math.max(...columns.map(([column]) => column.length));
  return [
    object(name, place, `SEQUENCE OF ${type}`, description, { access: "not-accessible" }),
    [
      `${entry} OBJECT-TYPE`,
      `    SYNTAX      ${type}`,
      "    MAX-ACCESS  not-accessible",
      "    STATUS      current",
      described("A row."),
      `    INDEX       { ${columns[0][0]} }`,
      `    ::= { ${name} 1 }`,
    ].join("\n"),
    [
      `${type} ::= SEQUENCE {`,
      columns.map(([column, syntax]) => `    ${column.padEnd(width)}  ${syntax.replace(/ [({].*/s, "")}`).join(",\n"),
      "}",
    ].join("\n"),
    ...columns.map(([column, syntax, text, units], at) =>
      object(column, `${entry} ${at + 1}`, syntax, text, { units, access: at ? "read-only" : "not-accessible" }),
    ),
  ];
}

const telemetry = [...TELEMETRY_TABLE]
  .sort((one, other) => one.object - other.object)
  .map((row) => {
    const [member, group = ""] = row.path.split(".").reverse();
    return object(
      // Without the unit of the other interfaces: here it is the one in UNITS.
      `bms${GROUPS[group]}${capital(member).replace(/Ah$/, "")}`,
      `bmsTelemetry ${row.object}`,
      syntaxOf(row),
      [`${row.title}.`, REMARKS[member]].filter(Boolean).join(" "),
      { units: unitsOf(row) },
    );
  });

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
];

/** @type {[name: string, objects: string[], text: string][]} */
const NOTIFICATIONS = [
  ["bmsCameOnline", [], "The BMS answers."],
  ["bmsWentOffline", [], "The BMS does not answer any more."],
  ["bmsAlarmRaised", ["bmsAlarmName", "bmsAlarmTitle"], "The BMS reports an alarm that it did not report before."],
  ["bmsAlarmCleared", ["bmsAlarmName", "bmsAlarmTitle"], "The BMS does not report the alarm any more."],
  ["bmsRelayChanged", ["bmsRelayName", "bmsRelayOn"], "The relay was switched."],
  ["bmsTest", [], "A test that a user asked for."],
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

const list = (names) => `{\n        ${names.join(",\n        ")}\n    }`;
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
  "-- Notifications",
  ...notifications,
  "-- Conformance",
  `bmsMonitorObjectGroup OBJECT-GROUP
    OBJECTS ${list(accessible)}
    STATUS      current
${described("All objects.")}
    ::= { bmsMonitorGroups 1 }`,
  `bmsMonitorNotificationGroup NOTIFICATION-GROUP
    NOTIFICATIONS ${list(NOTIFICATIONS.map(([name]) => name))}
    STATUS      current
${described("All notifications.")}
    ::= { bmsMonitorGroups 2 }`,
  `bmsMonitorCompliance MODULE-COMPLIANCE
    STATUS      current
${described("What the firmware offers.")}
    MODULE
        MANDATORY-GROUPS { bmsMonitorObjectGroup, bmsMonitorNotificationGroup }
    ::= { bmsMonitorCompliances 1 }`,
  "END",
].join("\n\n")}\n`;

if (process.argv.includes("--stdout")) process.stdout.write(text);
else writeFileSync(FILE, complete(FILE, text));
