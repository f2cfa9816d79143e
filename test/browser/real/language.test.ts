import { expect, it } from "vitest";
import { serve } from "./served";

const served = serve();
const PORTUGUESE = { language: "pt" } as const;
const ENGLISH = /\b(the|is|are|must|be|been|not|and|was|has|with|from|this|there|it|could|cannot)\b/i;

it("what the device refuses, and its log, are Portuguese on the Portuguese page", async () => {
  const system = await served.start();
  const { page } = await served.enter(system, PORTUGUESE, "#/relay");
  await page.locator("summary", { hasText: "Modo e regra" }).click();
  await page.getByLabel("Liga em", { exact: true }).fill("40");
  await page.getByLabel("Desliga em", { exact: true }).fill("40");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByText("Não foi feito: “Relé – Liga em” e “Relé – Desliga em” têm de ser diferentes.").waitFor();
  await page.getByLabel("Desliga em", { exact: true }).fill("50");
  await page.getByRole("button", { name: "Guardar" }).click();
  await page.getByText("Guardado.").waitFor();

  await page.goto(`${system.url}/#/device`);
  await page.locator("summary", { hasText: "Atualização" }).click();
  await page
    .getByLabel("Ficheiro de firmware")
    .setInputFiles({ name: "a.bin", mimeType: "application/octet-stream", buffer: Buffer.alloc(5_000) });
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText("Não atualizado: Isto não é uma imagem de firmware.").first().waitFor();

  await page.locator("summary", { hasText: "Últimos eventos" }).click();
  const log = page.locator("ul.log");
  for (const line of ["Arranque, firmware", "O BMS responde.", "Definições mudadas: Relé."])
    await log.getByText(line).waitFor();
  expect(await page.locator("main").innerText()).not.toMatch(ENGLISH);
});

it("how a write ended is Portuguese, with the setting's title", async () => {
  const system = await served.start();
  system.bms.faults.add({ kind: "refuse", code: 4, matching: (request) => request.function === 0x10 });
  const { page } = await served.enter(system, PORTUGUESE, "#/control");
  await page.getByRole("switch", { name: "Ecrã sempre ligado" }).click();
  const ending = "O BMS recusou (exceção 4: falha do aparelho).";
  await page.locator(".last").getByText(`Ecrã sempre ligado: ligado. ${ending}`).waitFor();
  await page.goto(`${system.url}/#/device`);
  await page.locator("summary", { hasText: "Últimos eventos" }).click();
  await page.locator("ul.log").getByText(`Escrita: Ecrã sempre ligado: ligado. ${ending}`).waitFor();
});
