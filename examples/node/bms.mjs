#!/usr/bin/env node
/**
 * Polls a JK BMS monitor and makes confirmed writes. BMS_URL and BMS_TOKEN name the device and its API token.
 *
 *   bms.mjs status                      one line about the battery
 *   bms.mjs watch [SECONDS [TIMES]]     repeats that (every 10 s, until stopped)
 *   bms.mjs set SETTING VALUE           a setting: set cell_ovp_voltage 3.6
 *   bms.mjs command COMMAND on|off      a command: command charge_mos off
 */
import { setTimeout as sleep } from "node:timers/promises";

const URL_OF_DEVICE = (process.env.BMS_URL ?? "http://jk-bms.local").replace(/\/$/, "");
const TOKEN = process.env.BMS_TOKEN ?? "";
const USAGE = "bms.mjs status | watch [SECONDS [TIMES]] | set SETTING VALUE | command COMMAND on|off";
/** ms. A write ends within 5 s on the device; the rest is for the network. */
const WRITE_TIMEOUT = 30_000;

/** Returns the response's data. Throws an Error that says why the device refused the request, or was not reached. */
async function request(path, body) {
  const response = await fetch(URL_OF_DEVICE + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${TOKEN}`, ...(body && { "Content-Type": "application/json" }) },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  }).catch((error) => {
    throw new Error(`${URL_OF_DEVICE} does not answer: ${error.cause?.message ?? error.message}`);
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer.data;
  throw new Error(answer.error ?? `HTTP ${response.status}: ${answer.data ?? response.statusText}`);
}

async function status() {
  const { online, ageSeconds, soc, pack, cellsSummary, alarmCode } = await request("/api/bms/status");
  if (!online) return `BMS offline, ${ageSeconds === null ? "never heard" : `last heard ${ageSeconds} s ago`}`;
  const { minVoltage, maxVoltage } = cellsSummary;
  return `${soc} %  ${pack.voltage} V  ${pack.current} A  ${pack.power} W  cells ${minVoltage} to ${maxVoltage} V  alarms ${alarmCode}`;
}

/** Queues a write and waits for its outcome. Throws an Error unless the BMS confirmed it. */
async function write(path, body) {
  await request(path, body);
  for (const deadline = Date.now() + WRITE_TIMEOUT; Date.now() < deadline;) {
    await sleep(1_000);
    const { pending, lastCommand, lastCommandOk } = await request("/api/bms/commands");
    if (pending) continue;
    if (!lastCommandOk) throw new Error(lastCommand);
    return lastCommand;
  }
  throw new Error("the write did not end");
}

async function watch(seconds = 10, times = Infinity) {
  for (let count = 0; count < times; count++) {
    if (count) await sleep(seconds * 1_000);
    const time = new Date().toTimeString().slice(0, 8);
    await status().then(
      (line) => console.log(time, line),
      (error) => console.error(time, error.message),
    );
  }
}

const [verb, first, second] = process.argv.slice(2);
try {
  if (verb === "status") console.log(await status());
  else if (verb === "watch") await watch(first, second);
  else if (verb === "set" && second !== undefined)
    console.log(await write("/api/bms/settings", { setting: first, value: second }));
  else if (verb === "command" && second !== undefined)
    console.log(await write("/api/bms/commands", { command: first, state: second }));
  else throw new Error(USAGE);
} catch (error) {
  console.error(`bms.mjs: ${error.message}`);
  process.exitCode = 1;
}
