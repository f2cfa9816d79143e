/**
 * node-red.mjs FLOW FOLDER: runs a flow on Node-RED's own runtime and core nodes, with FOLDER as its user directory.
 * Prints ["started"], then [name, value] for each message at a debug node, one line of JSON each. A line on standard
 * input names an inject node to trigger; the end of standard input ends the program.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";

const require = createRequire(import.meta.url);
const runtime = require("@node-red/runtime");
// The runtime's own instance.
const util = createRequire(require.resolve("@node-red/runtime"))("@node-red/util");

const [flow = "", userDir = ""] = process.argv.slice(2);
const nodes = JSON.parse(readFileSync(flow, "utf8"));
const settings = {
  userDir,
  flowFile: resolve(flow),
  readOnly: true,
  coreNodesDir: dirname(require.resolve("@node-red/nodes")),
  credentialSecret: false,
  logging: { console: { level: "off" } },
};
const print = (...line) => console.log(JSON.stringify(line));

util.init(settings);
runtime.init(settings);
util.events.on("comms", ({ topic, data: { name, format, msg } }) => {
  if (topic === "debug") print(name, format === "Object" ? JSON.parse(msg) : msg);
});
util.events.once("flows:started", () => print("started"));
await runtime.start();

for await (const name of createInterface(process.stdin)) {
  const { id } = nodes.find((node) => node.type === "inject" && node.name === name);
  runtime._.nodes.getNode(id).receive();
}
process.exit();
