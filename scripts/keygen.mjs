/** npm run keygen -- FILE: generates a key for signing firmware images and prints the manifest entry for it. */
import { writeFileSync } from "node:fs";
import { makeKey, publicKeyOf, readKey } from "./image-signing.mjs";

const [file, ...more] = process.argv.slice(2);
if (!file || more.length) {
  console.error("npm run keygen -- FILE");
  process.exit(2);
}
const pem = makeKey();
try {
  // Never overwrites a key: without it, devices that require its signature could not be updated.
  writeFileSync(file, pem, { mode: 0o600, flag: "wx" });
} catch (error) {
  console.error(error.code === "EEXIST" ? `${file} exists already.` : error.message);
  process.exit(1);
}
console.log(`${file}: back it up and keep it secret.\n"updateKey": "${publicKeyOf(readKey(pem))}"`);
