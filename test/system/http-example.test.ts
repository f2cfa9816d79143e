import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { SimulatedBoard } from "../../host-sim/board";
import { bundleForXs } from "../../host-sim/xs/bundle";
import { XsMachine } from "../../host-sim/xs/machine";
import main from "../../modules/http-server/example/main";
import { ENGINE } from "../support/system/engines";

const FILE = "modules/http-server/example/main.ts";

let board: SimulatedBoard;
let url: string;
beforeAll(async () => {
  board = new SimulatedBoard({ online: true, console: () => undefined });
  const bundle = ENGINE === "xs" ? await bundleForXs("test/support/xs/xs-example-entry.ts") : undefined;
  let port: () => number;
  await board.boot(() => {
    if (bundle) {
      const machine = new XsMachine(board, bundle);
      machine.boot();
      port = () => machine.ask("port") as number;
    } else {
      const server = main(0);
      port = () => server.port;
    }
  });
  board.clock.start();
  url = `http://127.0.0.1:${port!()}`;
});
afterAll(() => {
  board.clock.stop();
  board.powerOff();
});

it.each([
  ["GET", "/", undefined, 200, "Hello.\n"],
  ["POST", "/", "x".repeat(255), 200, "x".repeat(255)],
  ["POST", "/", "x".repeat(256), 200, "x".repeat(256)],
  ["POST", "/", "x".repeat(257), 413, ""],
  ["DELETE", "/", undefined, 405, ""],
  ["GET", "/other", undefined, 404, ""],
])(`the README's example on ${ENGINE}: %s %s`, async (method, path, body, status, text) => {
  const response = await fetch(url + path, { method, ...(body === undefined ? {} : { body }) });
  expect([response.status, await response.text()]).toEqual([status, text]);
});

it("is what the README shows", () => {
  expect(readFileSync("modules/http-server/README.md", "utf8")).toContain(
    `\`\`\`ts\n${readFileSync(FILE, "utf8")}\`\`\``,
  );
});
