/** What of the web interface is the SDK's own there: its SHA-256, its buffers in flash, its memory of a fixed size. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { LinuxSystem } from "../support/system/linux-system";
import { setUpCode, WebClient } from "../support/web/web-client";

const PASSWORD = "Lítio-280-Ah";
const script = gzipSync(Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at) & 0xff)));

let system: LinuxSystem;
let resources: string;
beforeAll(async () => {
  resources = mkdtempSync(join(tmpdir(), "bms-page-"));
  writeFileSync(join(resources, "index.html.gz"), gzipSync("<!doctype html>"));
  writeFileSync(join(resources, "app.js.gz"), script);
  system = await LinuxSystem.start({ resources });
});
afterAll(async () => {
  await system.stop();
  rmSync(resources, { recursive: true });
});

it("hashes passwords, and verifies them", async () => {
  const client = new WebClient({ url: system.baseUrl });
  expect((await client.post("/web/password", { new: PASSWORD, code: setUpCode(system.console) })).status).toBe(200);
  const other = new WebClient({ url: system.baseUrl });
  expect((await other.signIn("another-one")).status).toBe(401);
  expect((await other.signIn(PASSWORD)).status).toBe(200);
  expect((await other.get("/web/group/monitoring")).status).toBe(200);
  expect((await other.post("/web/group/monitoring", { temperature: { offset: 1.5 }, no: 1 })).status).toBe(200);
  expect((await other.get("/web/device")).status).toBe(200);
  expect((await other.get("/web/status")).status).toBe(200);
});

it("sends the page from flash", async () => {
  const client = new WebClient({ url: system.baseUrl });
  const page = await client.open("GET", "/app.js", { headers: { "accept-encoding": "gzip" } });
  const pieces: Buffer[] = [];
  for await (const piece of page) pieces.push(piece as Buffer);
  expect([page.statusCode, Buffer.concat(pieces).equals(script)]).toEqual([200, true]);
  const { etag } = page.headers;
  expect((await client.send("GET", "/app.js", { headers: { "if-none-match": etag } })).status).toBe(304);
  expect((await client.get("/app.css")).status).toBe(503);
});

it("reports changes to two listeners", async () => {
  const client = new WebClient({ url: system.baseUrl });
  await client.signIn(PASSWORD);
  const streams = [await client.open("GET", "/web/events"), await client.open("GET", "/web/events")];
  const texts = ["", ""];
  streams.forEach((stream, at) => stream.setEncoding("utf8").on("data", (text: string) => (texts[at] += text)));
  await expect.poll(() => texts.every((text) => text.split("data: ").length > 3)).toBe(true);
  expect((await client.get("/web/events")).status).toBe(503);
  for (const stream of streams) stream.destroy();
}, 20_000);
