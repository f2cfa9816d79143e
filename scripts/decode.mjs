import { setUp } from "./setup.mjs";

await setUp({ all: false });
const { bundle } = await import("./bundle.mjs");
await import(`../${await bundle("host-sim/decode.ts", "decode")}`);
