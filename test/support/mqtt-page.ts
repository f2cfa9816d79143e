/** Generates docs/mqtt.md from the firmware's tables: `node scripts/mqtt-docs.mjs` writes it, a test compares it. */
import { format } from "prettier";
import { ALARMS_TABLE } from "../../src/catalogue/alarms";
import { ENDING_OUTCOMES, REFUSAL_REASONS } from "../../src/bms/write-counters";
import { decimalText } from "../../src/catalogue/decimal";
import { SETTINGS_TABLE, type Range } from "../../src/catalogue/settings";
import { SHOWN, TELEMETRY_TABLE } from "../../src/catalogue/telemetry";
import * as limits from "../../src/mqtt/limits";
import { MAX_CERTIFICATE } from "../../src/settings/limits";
import settings from "../../src/settings/tables";
import { COMMANDS } from "../../web/tables";
import { en } from "../../web/texts/en";
import { MAX_FRAGMENT } from "tls-socket/limits";

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");

const code = (text: string): string => `\`${text}\``;

const grouped = (value: number): string => value.toLocaleString("en");
const seconds = (milliseconds: number): string => String(milliseconds / 1000);

function accepted({ kind, min, max, decimals, unit }: Range): string {
  if (kind === "boolean") return "on, off, true, false, 1, 0";
  if (kind === "text") return `${min} to ${max} printable ASCII characters`;
  return `${decimalText(min, decimals)} to ${decimalText(max, decimals)} ${unit}`;
}

function settingDefaults(): string {
  const rows = Object.entries(settings.mqtt.fields).map(([name, field]) => [
    `\`${name}\``,
    `\`${JSON.stringify(field.default)}\``,
    field.kind === "integer" || field.kind === "number" ? `${field.minimum} to ${field.maximum} ${field.unit}` : "",
  ]);
  return table(["Setting", "Default", "Range"], rows);
}

/** The page's description of a command or setting. Throws if there is none. */
function hintOf(words: Readonly<Record<string, { readonly hint: string } | undefined>>, name: string): string {
  const hint = words[name]?.hint;
  if (hint === undefined) throw new Error(`web/texts/en.ts has no words for ${name}: add them there and in pt.ts`);
  return hint;
}

export function mqttPage(): Promise<string> {
  const text = `# MQTT and Home Assistant

<!-- Written by scripts/mqtt-docs.mjs from the firmware's tables: change those. -->

The device is a client of an MQTT 3.1.1 broker: it publishes what it knows, takes commands and settings, and tells Home Assistant what there is. It is off until it is enabled and a broker is named.

## Settings

${settingDefaults()}

The connection is tried again after ${seconds(limits.FIRST_RETRY / 2)} to ${seconds(limits.FIRST_RETRY)} s, then after ever longer times, at most ${seconds(limits.MAX_RETRY)} s. The keep-alive is ${seconds(limits.KEEP_ALIVE)} s.

## TLS

With \`tls\` on the device sends nothing before it knows who answers. The broker's certificate must

- be signed by the CA whose certificate is set as \`ca\` (one certificate as PEM, up to ${grouped(MAX_CERTIFICATE)} characters), at once or through others;
- be one for servers, and valid now;
- have in its subjectAltName what is set as \`host\`: the name, or the IPv4 address.

No other CA is known, public ones neither. Without \`ca\` or without the time (set a time server) nothing is sent at all, never in the clear instead, and the log says why. An expired certificate ends MQTT, nothing else of the device: renew it in time. Revocation is not looked at, and who forges the time server's answers can have an expired certificate believed.

An authority of your own takes two commands; keep \`ca.key\` in a safe place, paste \`ca.pem\` into the settings:

\`\`\`sh
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Home CA" -keyout ca.key -out ca.pem
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=broker" -CA ca.pem -CAkey ca.key \\
  -addext "basicConstraints=critical,CA:FALSE" -addext "subjectAltName=DNS:broker.home,IP:192.168.1.10" -keyout broker.key -out broker.pem
\`\`\`

Of mosquitto (\`user\` and \`password\` of the settings are for its \`password_file\`; certificates of clients are not supported):

\`\`\`
listener 8883
certfile /etc/mosquitto/certs/broker.pem
keyfile /etc/mosquitto/certs/broker.key
\`\`\`

The device speaks TLS 1.2 with ECDHE on P-256 and AES-128-GCM. Keys may be on P-256 or P-384, or RSA of 2,048 to 4,096 bits, and signatures of SHA-256 or better. All certificates together must fit into one record of ${grouped(MAX_FRAGMENT)} bytes, which the device asks for (RFC 6066), so leave the CA's own out; OpenSSL, and with it mosquitto, keeps to that. Every board has TLS (mbedTLS), and so has the simulator (Node's own, by the same rules). A handshake is worked out in steps between other work, and not while an answer of the BMS is under way.

## Home Assistant

Home Assistant 2024.12 or newer, the first that takes the discovery of a whole device in one message. It shows the manufacturer and the model of the BMS, and the board and the firmware of the monitor. Numbers end at what the model takes, as far as it tells: the cell count, and the balance current by the number before the A in the model's name.

What is not known is "unknown" in Home Assistant, and an entity that is no longer there is removed: the relay when it is not fitted any more. When the base topic or the prefix is changed, the device deletes what the broker still keeps of the old ones (on the broker that it is connected to then).

The event "Last write" tells what became of each request, also of one that was refused: its types are those of the results below.

The energy is told as it was last stored (after 100 Wh, at the latest after 15 minutes), so that it does not fall when the power is cut.

## Topics

\`<base>\` is \`<baseTopic>/<device id>\`, as in \`jk-bms/24a160010203\`; the device id is the MAC address (\`data.device.id\` of the REST API). All payloads are UTF-8. What is published has QoS 0 and is retained, but for the results.

${table(
  ["Topic", "Payload", "When"],
  [
    ["`<base>/availability`", "`online`, `offline`: the device", "on connecting; `offline` also as the last will"],
    ["`<base>/bms`", "`online`, `offline`: the BMS", "on change"],
    ["`<base>/telemetry`", "JSON, below", "on change, at most every `interval`; at once when an alarm is another"],
    [
      "`<base>/cells`",
      '`{"cells": [{"number", "voltage", "wireResistanceMilliOhm"}]}`',
      "on change, at most every `interval`",
    ],
    [
      "`<base>/config`",
      "JSON: `data` of `GET /api/bms/config`, and `commands`, each `on` or `off`",
      "on change; null for what is not known",
    ],
    [
      "`<base>/relay`",
      '`{"fitted", "name", "state": "on" or "off", "mode": "manual", "automatic" or "disabled"}`',
      "on change",
    ],
    [
      "`<base>/diagnostics`",
      "JSON: uptime, version, address, quality of the link to the BMS (share of requests answered, %)",
      `every ${limits.REPEAT} s`,
    ],
    ["`<base>/result`", "JSON, below; not retained", "for each request"],
    [
      "`<discoveryPrefix>/device/<device id>/config`",
      "Home Assistant's discovery; empty when it is off",
      "on connecting",
    ],
  ],
)}

A number is told again when it is at least its dead band away from what was told last, or 0; until then it is told as it was. All but the discovery are published again every ${limits.REPEAT} s (or \`interval\`, when that is longer), and Home Assistant takes what it has not heard for ${limits.EXPIRE_REPEATS} times as long for lost. When Home Assistant says \`online\` on \`<discoveryPrefix>/status\`, everything is.

A broker that reads slowly gets the newest state when it can take it, not every one in between: the device keeps no messages.

### Telemetry

The fields of \`GET /api/bms/status\` without the cells. What is not known is null: all but \`online\` while the BMS is offline, a field that was not read yet, the temperature of a probe that is absent or switched off, a number that the model does not tell. \`alarms\` is an array of the names of the alarms that are raised, \`energy\` has \`chargedKwh\` and \`dischargedKwh\`.

${table(
  ["Field", "Unit", "Dead band", "Title", "In Home Assistant"],
  TELEMETRY_TABLE.map(({ path, quantity, title, flags }) => [
    `\`${path}\``,
    quantity.unit,
    quantity.deadBand > 1 ? decimalText(quantity.deadBand, quantity.decimals) : "",
    title,
    path === "name" ? "as a setting" : flags & SHOWN ? "enabled" : "to be enabled",
  ]),
)}

Alarms:

${table(
  ["Name", "Title", "A fault"],
  ALARMS_TABLE.map(({ name, title, fault }) => [`\`${name}\``, title, fault ? "yes" : "no"]),
)}

## Commands and settings

Publish to the topic of a command or setting, **not retained**: what the broker has kept is refused, since it may be old. So is all that comes within ${seconds(limits.SETTLE)} s of the device's connecting.

${table(
  ["Topic", "Payload", ""],
  [
    ...COMMANDS.map((name) => [
      `\`<base>/command/${name}/set\``,
      "on, off, true, false, 1, 0",
      hintOf(en.commands, name),
    ]),
    ...SETTINGS_TABLE.map(({ name, quantity }) => [
      `\`<base>/setting/${name}/set\``,
      accepted(quantity),
      hintOf(en.settings, name),
    ]),
    ["`<base>/relay/set`", "on, off, true, false, 1, 0", "The relay, in manual mode."],
  ],
)}

Or publish JSON to \`<base>/request\`, with an \`id\` of your own (text of at most ${limits.MAX_ID} characters, or a number):

\`\`\`json
{ "command": "charge_mos", "state": "off", "id": "42" }
{ "setting": "cell_ovp_voltage", "value": 3.6, "id": "43" }
{ "relay": "on", "id": "44" }
\`\`\`

Names and values are judged as by the REST API, aliases included. Payloads have 1 to ${limits.MAX_MESSAGE} bytes.

### Results

Each request has a result on \`<base>/result\` at once, and when that is \`accepted\` a second one when the write has ended, at the latest after 5 s:

\`\`\`json
{ "id": "42", "name": "charge_mos", "ok": false, "status": "accepted", "message": "Queued for the BMS." }
{ "id": "42", "name": "charge_mos", "ok": true, "status": "confirmed", "code": "confirmed", "message": "charge_mos off: confirmed by the BMS." }
\`\`\`

${table(
  ["Status", "`ok`", "Meaning"],
  [
    ["accepted", "false", "It waits for the BMS; the outcome follows."],
    ["confirmed", "true", "The BMS has confirmed it (the relay: it is switched)."],
    [
      "refused",
      "false",
      "Nothing was done; `message` says why: not understood, out of range, BMS offline, or another write is pending, whoever gave it.",
    ],
    ["failed", "false", "It was given to the BMS, which did not confirm it; `message` says what is known of it."],
  ],
)}

\`code\` says it to programs: of a refused write ${REFUSAL_REASONS.map(code).join(", ")}; of one that has ended ${ENDING_OUTCOMES.map(code).join(", ")}. Without a reply the value is read back all the same: with \`no-reply-applied\` the BMS holds what was asked for, with \`no-reply-not-applied\` another value, and with \`no-reply\`, \`lost\`, \`timeout\` and \`failed\` nobody knows.

\`id\` is left out when none was given.

## Limits

- Home Assistant's entities for settings but the Bluetooth name, and for the less usual commands, are there but not enabled: enable those you want to use. Balancing is switched by the command.
- The SDK's client (8.2.3) does not come back from a message without a payload. The firmware's socket (\`src/mqtt/mqtt-socket.ts\`) gives it a blank in its place, so an empty payload is refused with a result like any other that is wrong.
- Topics are subscribed to one by one: a misspelt topic has no result. \`<base>/request\` answers for misspelt names.
`;
  return format(text, { parser: "markdown", printWidth: 120 });
}
