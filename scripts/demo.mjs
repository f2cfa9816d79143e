/** npm run demo [-- --port N --path /some/path/ --build]: builds the demonstration into build/demo and serves it; --build: only builds. */
import "./setup/node-version.mjs";
import { parseArgs } from "node:util";
import { buildPage } from "./page.mjs";
import { setUp } from "./setup.mjs";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "8090" },
    path: { type: "string", default: "/" },
    build: { type: "boolean", default: false },
  },
});
const { port, path } = values;
await setUp({ all: false, xs: false });
await buildPage();
const { buildDemo } = await import("../web-sim/build.mjs");
const files = await buildDemo();
for (const [name, bytes] of Object.entries(files)) console.log(`build/demo/${name}  ${bytes} bytes`);
if (!values.build) {
  const { serveFolder } = await import("./static-files.mjs");
  await serveFolder("build/demo", { below: path.replace(/\/$/, ""), port: Number(port) });
  console.log(`\n  http://localhost:${port}${path}\n\n  Ctrl-C ends it.`);
}
