import { buildLinux } from "./moddable.mjs";

console.log(await buildLinux());
