import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { buildWeb } from "../../../web/build.mjs";
import { serve } from "./served";

const served = serve();
const PORTUGUESE = { language: "pt" } as const;
const ENGLISH = /\b(the|is|are|must|be|been|not|and|was|has|with|from|this|there|it|could|cannot)\b/i;

it("the outcome of a write, refusals and the log are in Portuguese on the Portuguese page", async () => {
  const system = await served.start();
  system.bms.faults.add({ kind: "refuse", code: 4, matching: (request) => request.function === 0x10 });
  const visit = await served.enter(system, PORTUGUESE, "#/control");
  const { page } = visit;
  await page.getByRole("switch", { name: "Tela sempre ligada" }).click();
  const ending = "O BMS recusou (exceção 4: falha do dispositivo).";
  await page.locator(".last").getByText(`Tela sempre ligada: ligado. ${ending}`).waitFor();
  await visit.go("relay");
  await page.locator("summary", { hasText: "Modo e regra" }).click();
  await page.getByLabel("A regra segue").selectOption({ label: "Estado de carga (%)" });
  await page.getByLabel("Liga em", { exact: true }).fill("40");
  await page.getByLabel("Desliga em", { exact: true }).fill("40");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Falhou: “Relé – Liga em” e “Relé – Desliga em” precisam ser diferentes.").waitFor();
  await page.getByLabel("Desliga em", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.").waitFor();

  await visit.go("device");
  await page.locator("summary", { hasText: "Atualização" }).click();
  await page
    .getByLabel("Arquivo de firmware")
    .setInputFiles({ name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(5_000) });
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText("Não atualizado: Isto não é uma imagem de firmware.").first().waitFor();

  await page.locator("summary", { hasText: "Últimos eventos" }).click();
  const log = page.locator("ul.log");
  for (const line of [
    "Iniciado com o firmware",
    "O BMS responde.",
    "Configurações alteradas: Relé.",
    `Escrita (página): Tela sempre ligada: ligado. ${ending}`,
  ])
    await log.getByText(line).waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(ENGLISH);
});

it("default names, fields, ranges and the relay's rule follow the language", async () => {
  const system = await served.start();
  const visit = await served.enter(system, PORTUGUESE, "#/relay");
  const { page } = visit;
  await page.getByRole("switch", { name: "Relé" }).waitFor();
  for (const name of ["Temperatura", "CC 3", "Entrada 2"]) await page.locator("dt", { hasText: name }).waitFor();
  await visit.unfold();
  await page.getByLabel("Modo", { exact: true }).selectOption({ label: "Automático" });
  await page.getByLabel("A regra segue").selectOption({ label: "Tensão da bateria (V)" });
  await page.getByLabel("Liga em", { exact: true }).fill("47,5");
  await page.getByLabel("Desliga em", { exact: true }).fill("50,25");
  await page.getByRole("button", { name: "Salvar" }).first().click();
  await page.getByText("Liga com 47,5 V ou menos, desliga com 50,25 V ou mais.").waitFor();
  expect(await page.getByLabel("Liga em", { exact: true }).inputValue()).toBe("47,5");
  expect(await page.getByLabel("Nome do relé").inputValue()).toBe("Relé");
  expect(await page.locator("main").innerText()).not.toMatch(/\d\.\d/);
  expect((await system.get("/api")).json.data).toMatchObject({ monitoring: { relay0Name: "Relay" } });
});

it("a board without the second language of rare screens has these in English, the others in Portuguese", async () => {
  const folder = mkdtempSync(join(tmpdir(), "page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const resources = join(folder, "without");
  const sizeOf = async (out: string, without: readonly string[]): Promise<number> =>
    (await buildWeb({ out, log: () => undefined, without })).find(({ name }) => name === "device.js")!.size;
  // What they take of the file.
  expect(await sizeOf(resources, ["rare-texts"])).toBeLessThan(0.9 * (await sizeOf(join(folder, "whole"), [])));
  const system = await served.start({ board: { resources } });
  const visit = await served.enter(system, PORTUGUESE, "#/device");
  await visit.page.locator("summary", { hasText: "Recent events" }).waitFor();
  await visit.go("control");
  await visit.page.getByRole("switch", { name: "Tela sempre ligada" }).waitFor();
});
