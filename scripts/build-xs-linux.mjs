/** npm run build:xs-linux [-- --plain[=pass,…]]: builds the firmware for Linux and prints the program's path. */
import { buildLinux } from "./moddable.mjs";
import { setUp } from "./setup.mjs";
import { passesIn } from "./shrink/passes.mjs";

await setUp();
console.log(await buildLinux(undefined, undefined, passesIn(process.argv.slice(2)).passes));
