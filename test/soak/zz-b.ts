import { passFrames } from "../suites/bit-errors";
const [, , n, e] = process.argv.map(Number);
const t = Date.now();
console.log(passFrames(n!, 1, e), Date.now() - t);
