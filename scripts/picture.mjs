/** Draws docs/images/session.svg: a real simulator session as shown in a terminal. */
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { setUp } from "./setup.mjs";

await setUp();

const TOKEN = "my-secret-token";
const PORT = 8123;
const BMS = `http://127.0.0.1:${PORT}`;
const WIDTH = 108;
const LINES_OF_ANSWER = 6;

const child = spawn("node", ["scripts/start.mjs", "--port", `${PORT}`, "--token", TOKEN, "--seed", "1"], {
  stdio: ["ignore", "pipe", "inherit"],
});
let greeting = "";
child.stdout.setEncoding("utf8").on("data", (text) => (greeting += text));
while (!greeting.includes("Ctrl-C")) await new Promise((resolve) => setTimeout(resolve, 100));
await new Promise((resolve) => setTimeout(resolve, 4000));

/** Rows of text: [kind, text]. */
const rows = [["prompt", `npm start -- --token ${TOKEN}`]];
for (const line of greeting.split("\n").filter((text) => /Address|Token/.test(text)))
  rows.push(["text", line.replace(`${PORT}`, "8080")]);

async function show(path, body) {
  const data = body && ` -d '${JSON.stringify(body)}'`;
  rows.push(["prompt", `curl -H "$AUTH"${data ? ` -H "$JSON"${data}` : ""} $BMS${path}`]);
  const response = await fetch(BMS + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: `Bearer ${TOKEN}`, ...(body && { "Content-Type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const lines = text.match(new RegExp(`.{1,${WIDTH - 2}}`, "g")) ?? [];
  for (const line of lines.slice(0, LINES_OF_ANSWER)) rows.push(["answer", line]);
  if (lines.length > LINES_OF_ANSWER) rows.push(["text", "…"]);
}

await show("/api/bms/status");
await show("/api/bms/commands", { command: "charge_mos", state: "off" });
await new Promise((resolve) => setTimeout(resolve, 1500));
await show("/api/bms/commands");
await show("/api/bms/settings", { setting: "cell_ovp_voltage", value: 5.5 });
child.kill("SIGTERM");

const COLOURS = { prompt: "#e6edf3", answer: "#7ee787", text: "#8b949e" };
const LINE = 19;
const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const drawn = rows.map(
  ([kind, text], row) =>
    `<text x="16" y="${30 + row * LINE}" fill="${COLOURS[kind]}" xml:space="preserve">${kind === "prompt" ? "$ " : "  "}${escape(text)}</text>`,
);
mkdirSync("docs/images", { recursive: true });
writeFileSync(
  "docs/images/session.svg",
  `<svg xmlns="http://www.w3.org/2000/svg" width="960" height="${rows.length * LINE + 36}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, monospace" font-size="14">
<title>A session with the simulator: status, a write, its confirmation, a refused value</title>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
${drawn.join("\n")}
</svg>
`,
);
