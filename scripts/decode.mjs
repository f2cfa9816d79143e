import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
await import(`../${await bundle("host-sim/decode.ts", "decode")}`);
