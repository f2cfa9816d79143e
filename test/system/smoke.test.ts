import { test, expect } from "vitest";
import { System } from "../support/system";
test("smoke", async () => {
  const system = await System.start();
  await system.untilLoaded();
  for (const p of ["/api", "/api/bms/status", "/api/bms/config", "/api/bms/commands"]) {
    const r = await system.get(p); console.log(p, r.status, r.text);
  }
  console.log(await system.post("/api/bms/commands", {command:"charge_mos", state:"off"}).then(r=>r.text));
  console.log(await system.outcome());
  console.log(await system.post("/api/bms/settings", {setting:"cell_ovp_voltage", value:3.6}).then(r=>r.text));
  console.log(await system.outcome());
  console.log((await system.get("/api/bms/config")).json.data.protections, system.bms.counters, system.firmware.monitor.link?.statistics, system.console);
  console.log((await system.request("POST", "/api/relay", {body: {cmd: "on"}})).text);
  system.stop();
  expect(1).toBe(1);
});
