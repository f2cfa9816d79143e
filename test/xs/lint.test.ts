import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { ESLint, Linter } from "eslint";
import { afterAll, describe, expect, it } from "vitest";
import { parser } from "typescript-eslint";
import { deviceRules, RESTRICTIONS, rulesFor } from "../../eslint.device.mjs";
import { XsWorker } from "../../host-sim/xs/worker";
import { table } from "../support/table";

const DOCUMENT = readFileSync(fileURLToPath(new URL("../../docs/xs.md", import.meta.url)), "utf8");

const messagesOf = (program: string, rules = deviceRules): string[] =>
  new Linter()
    .verify(program, [{ files: ["**/*.ts"], languageOptions: { parser }, rules }], { filename: "x.ts" })
    .map(({ message }) => message);

describe("what the device lacks", () => {
  table(RESTRICTIONS)("lint finds it", (restriction) => {
    const { example, message } = restriction;
    const found = messagesOf(example, rulesFor([restriction]));
    expect(found).toEqual([expect.stringContaining(message.replace(/\.$/, ""))]);
  });

  table(RESTRICTIONS)("docs/xs.md has it", ({ name }) => {
    expect(DOCUMENT).toContain(`\`${name}\``);
  });

  table([
    "new Digital({ onReadable: () => 1 });",
    "new Listener({ onReadable() { work(); } });",
    "new UDP({ onError: (reason) => work(reason) });",
    "new Serial({ target, onWritable: work });",
    "new MQTTClient({ onControl: onMessage });",
    "io.scan({ onFound: (found) => work(found) });",
    "io.scan({ onComplete: work });",
    "resolver.resolve({ host, onResolved: work });",
    "new Ethernet({ onChanged: function () { work(); } });",
    "new WiFi(undefined, (message) => work(message));",
    "socket.onReadable = () => work();",
    "function onNotify() { work(); enter(this.target, 'notified'); }",
    "const onReadable = () => work();",
    "Timer.set(() => work());",
    "Timer.repeat(function () { work(); }, 100);",
    "Timer.set(work, 100);",
  ])("an entry of the platform's that is no door: lint finds it", (program) => {
    expect(messagesOf(program)).toEqual([expect.stringMatching(/^What (it|they) throws? ends? the script/)]);
  });

  table([
    "new Digital({ target, onReadable });",
    "new UDP({ target: this, onReadable, onError });",
    "io.scan({ onFound, onComplete });",
    "new WiFi(undefined, onNotify);",
    "function onFound(found) { enter(this.target, 'found', found); }",
    "Timer.set(onTimer, 100);",
  ])("a door: lint accepts it", (program) => {
    expect(messagesOf(program)).toEqual([]);
  });

  it("lint accepts valid code", () => {
    const fine = [
      "export const TABLE = Object.freeze([{ a: 1 }] as const, true);",
      "export const BYTES = new Uint8Array(4);",
      "export class Wrong extends Error { override name = 'Wrong'; constructor() { super(); } static readonly LIMIT = 3; private static make(): void {} }",
      "export function of(text: string) { let at = 0; const list = [1]; at += list.length; return text + list[at]; }",
      "export const all = (object: object) => Object.values(object).map(String).filter(Boolean);",
    ];
    expect(messagesOf(fine.join("\n"))).toEqual([]);
  });

  table(["src/main.ts", "modules/json/writer.ts"])("the rules hold for src and modules", async (file) => {
    const { rules } = (await new ESLint().calculateConfigForFile(file)) as { rules: Linter.RulesRecord };
    for (const [name, [, ...restricted]] of Object.entries(deviceRules) as [string, unknown[]][])
      expect(rules[name], name).toEqual([2, ...restricted]);
  });
});

describe("the XS that the tests run lacks it", () => {
  const problems: string[] = [];
  const worker = new XsWorker({ onCall: (message) => message, onProblem: (text) => problems.push(text) });
  afterAll(() => worker.close());

  table(RESTRICTIONS.filter(({ lacks }) => lacks === "engine"))("and refuses its example", ({ example }) => {
    expect(() => worker.evaluate(example)).toThrow(/^XS: (SyntaxError|TypeError|ReferenceError)/);
  });

  it("and has what the firmware is built with", () => {
    worker.evaluate(
      "class A { static #n = 1; static { this.m = A.#n; } #x = 2; has(o) { return #x in o; } }\n" +
        "if (A.m !== 1 || !new A().has(new A()) || [1, 2].at(-1) !== 2 || (null ?? 3) !== 3) throw new Error('no');",
    );
    expect(problems).toEqual([]);
  });
});
