/** Generates docs/mqtt.md from the firmware's tables: `node scripts/mqtt-docs.mjs` writes it, a test compares it. */
import { format } from "prettier";
import { ALARMS_TABLE } from "../../../src/catalogue/alarms";
import { ENDING_OUTCOMES, REFUSAL_REASONS } from "../../../src/bms/write-counters";
import { decimalText } from "json/decimal";
import { PARAMETERS_TABLE, type Range } from "../../../src/catalogue/parameters";
import { SHOWN, TELEMETRY_TABLE } from "../../../src/catalogue/telemetry";
import { WRITE_TIMEOUT } from "../../../src/bms/limits";
import { JOULES_PER_WATT_HOUR, MAX_STORE_INTERVAL, STORE_ENERGY } from "../../../src/energy/limits";
import * as limits from "../../../src/mqtt/limits";
import { MAX_CERTIFICATE } from "../../../src/settings/limits";
import settings from "../../../src/settings/tables";
import { COMMANDS } from "../../../web/tables";
import { en } from "../../../web/texts/en";
import { MAX_FRAGMENT, MAX_HANDSHAKE } from "tls-socket/limits";

const row = (...cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => "---")), ...rows.map((cells) => row(...cells))].join("\n");

/** Without what aligns the columns of tables: a new row changes one line, and branches with a row each merge. */
const unpadded = (page: string): string =>
  page.replace(/^\|.*$/gm, (line) => line.replace(/ +(?=\|)/g, " ").replace(/-{4,}/g, "---"));

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

export async function mqttPage(): Promise<string> {
  const text = `# MQTT and Home Assistant

<!-- Written by scripts/mqtt-docs.mjs from the firmware's tables: change those. -->

The device is an MQTT 3.1.1 client: it publishes its data, accepts commands and settings, and announces its entities to Home Assistant. MQTT is off until it is enabled and a broker is set.

## Settings

${settingDefaults()}

A failed connection is retried after ${seconds(limits.FIRST_RETRY / 2)} to ${seconds(limits.FIRST_RETRY)} s, then at growing intervals of at most ${seconds(limits.MAX_RETRY)} s, and at once when the network returns or the address changes. The keep-alive is ${seconds(limits.KEEP_ALIVE)} s.

## TLS

With \`tls\` on, the device sends nothing until it has authenticated the broker. The broker's certificate must

- be signed by the CA whose certificate is set as \`ca\` (one certificate as PEM, up to ${grouped(MAX_CERTIFICATE)} characters), directly or through intermediates;
- be a server certificate, and valid now;
- have the value of \`host\`, name or IPv4 address, in its subjectAltName.

No other CA is trusted, public ones included. Without \`ca\`, or before the time is known (set a time server), nothing is sent at all; it never falls back to plain text, and the log says why. An expired certificate stops MQTT and nothing else: renew it in time. Revocation is not checked, and an attacker who forges the time server's answers can get an expired certificate accepted.

Creating your own CA takes two commands; keep \`ca.key\` in a safe place, paste \`ca.pem\` into the settings:

\`\`\`sh
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3650 -subj "/CN=Home CA" -keyout ca.key -out ca.pem
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 825 -subj "/CN=broker" -CA ca.pem -CAkey ca.key \\
  -addext "basicConstraints=critical,CA:FALSE" -addext "subjectAltName=DNS:broker.home,IP:192.168.1.10" -keyout broker.key -out broker.pem
\`\`\`

For mosquitto (the settings \`user\` and \`password\` match its \`password_file\`; client certificates are not supported):

\`\`\`
listener 8883
certfile /etc/mosquitto/certs/broker.pem
keyfile /etc/mosquitto/certs/broker.key
\`\`\`

The device speaks TLS 1.2 with ECDHE on P-256 and AES-128-GCM. Keys may be on P-256 or P-384, or RSA of 2,048 to 4,096 bits, and signatures use SHA-256 or stronger. All certificates together may have ${grouped(MAX_HANDSHAKE)} bytes; later records may have ${grouped(MAX_FRAGMENT)}, the limit that the device requests (RFC 6066); OpenSSL, and with it mosquitto, honours it. Every board has TLS (mbedTLS), and so has the simulator (Node's own, by the same rules). A handshake runs in steps between other work, and not during a reply from the BMS.

## Home Assistant

Home Assistant 2024.11 or newer, the first with device discovery in a single message (pull request 118757 in the [changelog of 2024.11](https://www.home-assistant.io/changelogs/core-2024.11/)). The youngest of the platforms used, [event](https://www.home-assistant.io/integrations/event.mqtt/), has been there since 2023.8. It shows manufacturer, model, serial number and hardware of the BMS, and the firmware of the monitor. The range of a number is limited to what the model supports where that is known: the cell count, and the balance current from the number before the A in the model's name. A pack may hold more than can be set (a capacity of 1,200 Ah): then Home Assistant is told of a wider range, since it would reject the state; a request beyond the range is refused all the same.

Cells and their wires are sensors that are disabled at first, as many as the pack has. Time to full and to empty are estimates by the current of now: unknown at rest (below 0.1 A). The event "Alarm" has what happened as its type, and the alarm's name as an attribute. The relay's mode is a select; the button restarts the device.

Unknown values are "unknown" in Home Assistant. An entity that no longer exists is removed, such as the relay once it is set as not fitted. When the base topic or the prefix changes, the device deletes the retained messages of the old one (on the broker that it is connected to at that time).

The event "Last write" reports the outcome of each request, refused ones included; its types are those of the results below.

The energy published is the bank's if there are several packs, also among the first pack's values, and the value last stored (every ${STORE_ENERGY / JOULES_PER_WATT_HOUR} Wh, at the latest after ${MAX_STORE_INTERVAL / 60_000} minutes), so that it does not decrease after a power cut. Days begin at the owner's midnight (the setting \`time.zone\`). Today's energy begins at 0 with the first reply of the day; it is unknown until the clock is set. Yesterday's is that of its record in flash ([history.md](history.md)), and has no statistics of its own in Home Assistant: today's has them.

## Topics

\`<base>\` is \`<baseTopic>/<device id>\`, as in \`jk-bms/24a160010203\`; the device id is the MAC address (\`data.device.id\` of the REST API). All payloads are UTF-8. Messages are published with QoS 0 and retained, except results.

${table(
  ["Topic", "Payload", "When"],
  [
    ["`<base>/availability`", "`online`, `offline`: the device", "on connecting; `offline` also as the last will"],
    ["`<base>/bms`", "`online`, `offline`: the BMS", "on change"],
    ["`<base>/telemetry`", "JSON, below", "on change, at most every `interval`; at once when the alarms change"],
    [
      "`<base>/cells`",
      '`{"cells": [{"number", "voltage", "wireResistanceMilliOhm"}]}`',
      "on change, at most every `interval`",
    ],
    [
      "`<base>/config`",
      "JSON: `data` of `GET /api/bms/config`, and `commands`, each `on` or `off`",
      "on change; unknown values are null",
    ],
    [
      "`<base>/relay`",
      '`{"fitted", "name", "state": "on" or "off", "mode": "manual", "automatic" or "disabled"}`',
      "on change",
    ],
    [
      "`<base>/diagnostics`",
      "JSON: uptime, version, address, safe mode, quality of the link to the BMS (share of requests answered, %), why the device started, free memory, `bmsMode`: `poll`, or `listen` beside another master, `rssi`: dBm of the joined Wi-Fi, `concerns`: [what needs attention](api.md#what-needs-attention) of the device itself",
      `every ${limits.REPEAT} s, and when the BMS or another master comes or goes`,
    ],
    ["`<base>/result`", "JSON, below; not retained", "for each request"],
    [
      "`<base>/alarm`",
      '`{"event_type": "raised" or "ended", "alarm": a name of below, or the number of a bit without one}`, `{"event_type": "condition_raised" or "condition_ended", "condition": a code of [What needs attention](api.md#what-needs-attention)}`, `{"event_type": "setting_changed", "setting", "before", "value", "unit", "by": "unknown", "master" or "device"}`, of many at once `count` in place of the first four; not retained',
      "when an alarm or a condition is raised or ends, a message each; for those that are active after a start, too; when a [setting of the pack has changed](api.md#what-needs-attention), and not by a confirmed write",
    ],
    [
      "`<discoveryPrefix>/device/<device id>/config`",
      "Home Assistant's discovery; empty when it is off",
      "on connecting",
    ],
  ],
)}

With several packs, the topics above stay the first pack's; these are added:

${table(
  ["Topic", "Payload"],
  [
    [
      "`<base>/pack/<address>/bms`, `alarm`, `telemetry`, `cells`, `config`",
      "as above, of the further pack at this address, without `energy`",
    ],
    ["`<base>/pack/<address>/request`", "requests in JSON, as below, for this pack; not for the relay"],
    [
      "`<base>/bank/telemetry`",
      "JSON: `data.bank` of `GET /api/packs` without the alarms, every `interval` and when a pack comes or goes",
    ],
    [
      "`<discoveryPrefix>/device/<device id>_pack<address>/config`, `…_bank/config`",
      "Home Assistant's discovery of each further pack, which belongs to the bank, and of the bank, which belongs to the first device",
    ],
  ],
)}

A pack that is taken out of the settings, or the bank once there is only one, is deleted from the broker with all its retained messages. A result names the further pack by its address as \`pack\`.

A number is updated once it differs from the last published value by at least its dead band, or is 0; until then the last value is repeated. Everything except the discovery is republished every ${limits.REPEAT} s (or \`interval\`, if that is longer); Home Assistant treats a value as unavailable after ${limits.EXPIRE_REPEATS} times as long without an update. When Home Assistant publishes \`online\` on \`<discoveryPrefix>/status\`, everything is published again.

A slow broker gets the latest state when it can take it, without the states in between: the device queues no messages.

### Telemetry

The fields of \`GET /api/bms/status\` without the cells. Unknown values are null: everything except \`online\` while the BMS is offline, a field that has not been read yet, the temperature of a probe that is absent or disabled, a number that the model does not report. \`alarms\` is an array of the names of active alarms, \`concerns\` one of the codes of [what needs attention](api.md#what-needs-attention), \`well\` is true when there are none (of the device: of any of its packs), \`energy\` has \`chargedKwh\` and \`dischargedKwh\` since the first start, and, of a device that keeps a history, \`chargedTodayKwh\`, \`dischargedTodayKwh\`, \`chargedYesterdayKwh\` and \`dischargedYesterdayKwh\`.

${table(
  ["Field", "Unit", "Dead band", "Title", "In Home Assistant"],
  TELEMETRY_TABLE.map(({ path, quantity, title, flags }) => [
    `\`${path}\``,
    quantity.unit,
    quantity.deadBand > 1 ? decimalText(quantity.deadBand, quantity.decimals) : "",
    title,
    path === "name" ? "as a setting" : flags & SHOWN ? "enabled" : "disabled at first",
  ]),
)}

Alarms:

${table(
  ["Name", "Title", "Fault"],
  ALARMS_TABLE.map(({ name, title, fault }) => [`\`${name}\``, title, fault ? "yes" : "no"]),
)}

## Commands and settings

Publish to the topic of a command or setting, **not retained**: retained requests are refused, since they may be old. The RETAIN flag of the packet decides, however late a broker delivers it. A broker clears the flag of a message that it forwards to a device that is connected (MQTT 3.1.1, section 3.3.1.3), so a request that is published retained while the device is connected is carried out, and refused after each later connection.

${table(
  ["Topic", "Payload", ""],
  [
    ...COMMANDS.map((name) => [
      `\`<base>/command/${name}/set\``,
      "on, off, true, false, 1, 0",
      hintOf(en.commands, name),
    ]),
    ...PARAMETERS_TABLE.map(({ name, quantity }) => [
      `\`<base>/setting/${name}/set\``,
      accepted(quantity),
      hintOf(en.parameters, name),
    ]),
    ["`<base>/relay/set`", "on, off, true, false, 1, 0", "The relay, in manual mode."],
  ],
)}

Or publish JSON to \`<base>/request\`, with an \`id\` of your own (text of at most ${limits.MAX_ID} characters, or a number):

\`\`\`json
{ "command": "charge_mos", "state": "off", "id": "42" }
{ "setting": "cell_ovp_voltage", "value": 3.6, "id": "43" }
{ "relay": "on", "id": "44" }
{ "relayMode": "automatic", "id": "45" }
{ "restart": true, "id": "46" }
\`\`\`

Names and values follow the rules of the REST API, aliases included. The modes of the relay are manual, automatic and disabled; the last two kinds of requests are the device's, not a pack's. Payloads have 1 to ${limits.MAX_MESSAGE} bytes.

### Results

Each request is answered on \`<base>/result\` at once. If that result is \`accepted\`, a second one follows when the write has ended, at the latest after ${seconds(WRITE_TIMEOUT)} s:

\`\`\`json
{ "id": "42", "name": "charge_mos", "ok": false, "status": "accepted", "message": "Queued for the BMS." }
{ "id": "42", "name": "charge_mos", "ok": true, "status": "confirmed", "code": "confirmed", "message": "charge_mos off: confirmed by the BMS." }
\`\`\`

${table(
  ["Status", "`ok`", "Meaning"],
  [
    ["accepted", "false", "Queued for the BMS; the outcome follows."],
    ["confirmed", "true", "Confirmed by the BMS (the relay: switched; its mode: stored; a restart: within a second)."],
    [
      "refused",
      "false",
      "Nothing was done; `message` says why: not understood, out of range, BMS offline, or another write pending, from any interface.",
    ],
    ["failed", "false", "Sent to the BMS, which did not confirm it; `message` says what is known."],
  ],
)}

\`code\` is for programs. A refused write has ${REFUSAL_REASONS.map(code).join(", ")}; one that has ended has ${ENDING_OUTCOMES.map(code).join(", ")}. Even without a reply the value is read back: with \`no-reply-applied\` the BMS holds the requested value, with \`no-reply-not-applied\` another one, and with \`no-reply\`, \`lost\`, \`timeout\` and \`failed\` it is unknown.

\`id\` is omitted if the request had none.

There is one queue with one place for all interfaces: wait for the last result of a write before you send the next one, or it is refused with \`pending\`. In a script: subscribe to \`<base>/result\`, give each request an \`id\`, and send the next one after the result with that \`id\` that is not \`accepted\`.

## Limits

- Home Assistant's entities for settings other than the Bluetooth name, and for the less common commands, are announced but disabled: enable those you need. Balancing is switched by the command.
- The SDK's client (8.2.3) hangs on a message without a payload. The firmware's socket (\`src/mqtt/mqtt-socket.ts\`) passes it a blank instead, so an empty payload is refused with a result like any other invalid one.
- Each topic is subscribed to individually: a misspelt topic gets no result, a misspelt name in \`<base>/request\` does.
`;
  return unpadded(await format(text, { parser: "markdown", printWidth: 120 }));
}
