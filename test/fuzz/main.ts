/** `npm run fuzz`: docs/security.md has the last run. */
import { FuzzedDevice } from "./device";
import { HttpFuzz } from "./http";
import { COUNT, ModbusFuzz, PACKS_SETTINGS } from "./modbus";
import { MqttFuzz } from "./mqtt";
import { Random } from "./random";
import { SnmpFuzz } from "./snmp";

const [requests = 1_000_000, packets = 1_000_000, frames = 100_000, payloads = 100_000, seed = 1] = process.argv
  .slice(2)
  .map(Number);
/** Parts of a run, after each of which memory is measured. */
const PARTS = 10;
/** Growth of the heap in the second half of a run, bytes: in the first, the engine's own caches grow, too. */
const MAX_GROWTH = 1_000_000;

/** The same with four packs, of which the simulation grows by 2 MB without a single frame; on XS it is the firmware's memory that is measured. */
const MAX_BANK_GROWTH = 3_000_000;

interface Fuzz {
  readonly honest: number;
  run(count: number): void | Promise<void>;
  rest?(): Promise<void>;
  end(): void | Promise<void>;
}

async function fuzz(what: string, count: number, device: FuzzedDevice, fuzzed: Fuzz, most = MAX_GROWTH): Promise<void> {
  const began = performance.now();
  const heaps: number[] = [];
  for (let part = 0; part < PARTS; part++) {
    await fuzzed.run(count / PARTS);
    await fuzzed.rest?.();
    await device.expectSound();
    heaps.push(device.heap());
  }
  await fuzzed.end();
  const seconds = ((performance.now() - began) / 1_000).toFixed(0);
  const megabytes = heaps.map((bytes) => (bytes / 1e6).toFixed(2));
  console.log(`${count} ${what} in ${seconds} s; ${fuzzed.honest} honest requests between them, all served`);
  console.log(`  heap after each tenth, MB: ${megabytes.join(" ")}`);
  const growth = (heaps[PARTS - 1] as number) - (heaps[PARTS / 2 - 1] as number);
  if (growth > most) throw new Error(`the heap has grown by ${growth} bytes`);
}

console.log(`seed ${seed}`);
const device = await FuzzedDevice.start();
const http = new HttpFuzz(device, new Random(seed));
await fuzz("HTTP requests", requests, device, http);
console.log(
  `  responses: ${[...http.statuses]
    .sort()
    .map((pair) => pair.join(" × "))
    .join(", ")}`,
);
const snmp = new SnmpFuzz(device, new Random(seed));
await fuzz("SNMP packets", packets, device, snmp);
console.log(`  ${snmp.answered} were answered`);
device.system.stop();
const bank = await FuzzedDevice.start({ packs: PACKS_SETTINGS }, COUNT);
const modbus = await ModbusFuzz.start(bank.system, new Random(seed));
await fuzz("Modbus frames", frames, bank, modbus, MAX_BANK_GROWTH);
console.log(`  ${modbus.answered} were answered`);
bank.system.stop();
const mqtt = await MqttFuzz.start(new Random(seed));
await fuzz("MQTT payloads", payloads, mqtt.device, mqtt);
process.exit(0);
