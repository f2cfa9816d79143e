/** `npm run fuzz -- xs`: the firmware on XS, over real sockets in virtual time. docs/security.md has the last run. */
import { COUNT, ModbusFuzz, PACKS_SETTINGS } from "./modbus";
import { XsFuzzedDevice } from "./xs-device";
import { XsHttpFuzz, XsSnmpFuzz } from "./xs-clients";
import { Random } from "./random";

const [requests = 20_000, packets = 20_000, frames = 100_000, seed = 1] = process.argv.slice(2).map(Number);
/** Parts of a run, after each of which memory is measured. */
const PARTS = 10;
/** Growth of live memory in the second half of a run: what a poll under way or a remembered address takes. */
const MAX_SLOTS = 100;
const MAX_CHUNKS = 2_000;

console.log(`XS, seed ${seed}`);
let device = await XsFuzzedDevice.start();
for (const [what, count, start] of [
  ["HTTP requests", requests, (random: Random) => new XsHttpFuzz(device, random)],
  ["SNMP packets", packets, (random: Random) => new XsSnmpFuzz(device, random)],
  [
    "Modbus frames",
    frames,
    async (random: Random) => {
      device.system.stop();
      device = await XsFuzzedDevice.start({ packs: PACKS_SETTINGS }, COUNT);
      return ModbusFuzz.start(device.system, random);
    },
  ],
] as const) {
  const fuzz = await start(new Random(seed));
  const samples = [];
  for (let part = 0; part < PARTS; part++) {
    await fuzz.run(count / PARTS);
    await fuzz.rest();
    samples.push(await device.memory());
  }
  fuzz.end();
  console.log(
    `${count} ${what}; ${fuzz.honest} honest requests between them, all served; ${fuzz.answered} were answered`,
  );
  console.log(`  slots after each tenth: ${samples.map(({ slots }) => slots).join(" ")}`);
  console.log(`  bytes of chunks: ${samples.map(({ chunks }) => chunks).join(" ")}`);
  const half = samples[PARTS / 2 - 1]!;
  const last = samples[PARTS - 1]!;
  if (last.slots - half.slots > MAX_SLOTS || last.chunks - half.chunks > MAX_CHUNKS)
    throw new Error("memory has grown");
}
process.exit(0);
