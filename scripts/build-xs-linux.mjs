import { buildLinux } from "./moddable.mjs";

console.log(buildLinux());
