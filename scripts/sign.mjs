/** npm run sign -- IMAGE KEY: signs a firmware image in place with a key from `npm run keygen`. */
import { readFileSync } from "node:fs";
import { publicKeyOf, readKey, signImage } from "./image-signing.mjs";
import { replaceFile } from "./replace-file.mjs";

const [image, file, ...more] = process.argv.slice(2);
if (!image || !file || more.length) {
  console.error("npm run sign -- IMAGE KEY");
  process.exit(2);
}
try {
  const key = readKey(readFileSync(file));
  replaceFile(image, signImage(readFileSync(image), key));
  console.log(`${image}: signed for firmware with "updateKey": "${publicKeyOf(key)}"`);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
