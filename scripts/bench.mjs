import { setUp } from "./setup.mjs";

await setUp();
const { bundle } = await import("./bundle.mjs");
await import(`../${await bundle("test/bench/main.ts", "bench")}`);
