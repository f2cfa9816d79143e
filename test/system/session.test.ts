import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { System } from "../support/system/system";
import { runProgram } from "../support/run-program";

const PAGE = readFileSync(fileURLToPath(new URL("../../docs/use/curl.md", import.meta.url)), "utf8");
const BASE = "http://127.0.0.1:8080";
const TOKEN = "my-secret-token";
const STATUS = "\\n%{http_code}";

/** The shell blocks of a section that talk to the device. */
const blocks = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)]
  .map(([, text]) => text ?? "")
  .filter((text) => text.includes("#=>"));

/** Runs a block line by line in one environment; each output is compared with the remark after its command. A pause waits for the write to end. */
async function play(block: string, system: System): Promise<number> {
  const { url } = system;
  const lines = block.split("\n").filter((line) => line && !line.startsWith("#"));
  const settings = lines.filter((line) => /^[A-Z]+=/.test(line)).map((line) => line.replace(BASE, url));
  let commands = 0;
  for (const line of lines) {
    const [command = "", remark] = line.split(/\s+#=> /);
    if (/^[A-Z]+=/.test(line)) continue;
    if (command.startsWith("sleep ")) {
      await system.outcome();
      continue;
    }
    const script = [...settings, command.replace("curl -s", `curl -s -w '${STATUS}'`)].join("\n");
    const { output } = await runProgram("sh", ["-c", script]);
    if (remark === undefined) continue;
    commands++;
    const [status, ...fragment] = remark.split(" ");
    expect(output.slice(-3), command).toBe(status);
    expect(output, command).toContain(fragment.join(" "));
  }
  return commands;
}

describe("the session with curl", () => {
  it("answers as printed", async () => {
    const system = await System.start({ board: { config: { settings: { api: { token: TOKEN } } } } });
    await system.untilLoaded();
    expect(await play(blocks[0] ?? "", system)).toBeGreaterThan(15);
    expect(system.bms.registers.read("ChargeMos")).toBe(0);
    expect(system.bms.registers.read("VolCellOV")).toBe(3600);
    expect(system.probes.relay()).toBe(1);
    system.stop();
  });

  it("answers as printed without a BMS", async () => {
    const system = await System.start({ board: { config: { settings: { api: { token: TOKEN } } } } });
    system.bms.faults.add({ kind: "no-answer" });
    expect(await play(blocks[1] ?? "", system)).toBe(3);
    system.stop();
  });

  it("has two blocks", () => expect(blocks).toHaveLength(2));
});
