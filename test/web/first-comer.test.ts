/** Whom the button admits to choose the first password. */
import { beforeEach, describe, expect, it } from "vitest";
import { ADMITTED_FOR, ASKING_FOR } from "../../src/web/limits";
import { PASSWORD, WebBench } from "../support/web/web-bench";

const OWNER = "192.0.2.1";
const STRANGER = "192.0.2.66";
const THIRD = "192.0.2.77";

interface Answer {
  readonly state: string;
  readonly number: string;
  readonly other: string;
}

let bench: WebBench;
beforeEach(() => void (bench = new WebBench({ hasButton: true }, { password: "" })));

const send = (path: string, json: unknown, remoteAddress: string): ReturnType<WebBench["ask"]> =>
  bench.ask({ method: "POST", path, json, remoteAddress });
const ask = (address: string, number?: unknown): Answer =>
  (send("/web/button", { number }, address).json as { data: Answer }).data;
function choose(address: string, number?: unknown): unknown {
  const exchange = send("/web/password", { new: PASSWORD, number }, address);
  bench.wait(exchange);
  return exchange.status;
}
const press = (): void => bench.web.pressed();

describe("the first page that asks", () => {
  it("is shown a number, and the press admits it alone", () => {
    const { number, ...rest } = ask(OWNER);
    expect([number, rest]).toEqual([expect.stringMatching(/^\d{4}$/), { state: "waiting", other: "" }]);
    expect(choose(OWNER, number)).toBe(403);
    press();
    expect(bench.console.join("")).toContain(`button: ${OWNER} may choose the password (number ${number})\n`);
    expect(ask(OWNER, number)).toEqual({ state: "admitted", number, other: "" });
    expect([choose(STRANGER, number), choose(STRANGER), bench.settings.web.password]).toEqual([403, 403, ""]);
    expect(choose(OWNER, number)).toBe(200);
    expect(send("/web/button", {}, OWNER).status).toBe(401);
  });

  it("keeps its number while it asks, and the press admits it until ADMITTED_FOR is over", () => {
    const { number } = ask(OWNER);
    for (let time = 0; time < 3 * ASKING_FOR; time += ASKING_FOR / 2) {
      bench.advance(ASKING_FOR / 2);
      expect(ask(OWNER, number).number).toBe(number);
    }
    press();
    bench.advance(ADMITTED_FOR - 1);
    expect(ask(OWNER, number).state).toBe("admitted");
    bench.advance(1);
    expect(ask(OWNER, number).state).toBe("waiting");
    expect(choose(OWNER, number)).toBe(403);
  });

  it("has ASKING_FOR to reach the button with a phone that sleeps", () => {
    const { number } = ask(OWNER);
    bench.advance(ASKING_FOR - 1);
    press();
    expect(choose(OWNER, number)).toBe(200);
  });

  it("is not admitted by a press before it asked, nor after it has left", () => {
    press();
    const { number } = ask(OWNER);
    expect(choose(OWNER, number)).toBe(403);
    bench.advance(ASKING_FOR);
    press();
    expect(bench.console.join("")).toContain("button: no page asks to choose the password\n");
    expect(choose(OWNER, number)).toBe(403);
  });

  it("is admitted by its number only: one guess at its address, and nobody is", () => {
    for (const wrong of ["0", "00000", "", undefined, 7, null]) {
      const { number } = ask(OWNER, ask(OWNER).number);
      press();
      expect(choose(OWNER, wrong)).toBe(403);
      // No number is no guess.
      if (typeof wrong === "string") expect(choose(OWNER, number)).toBe(403);
      else expect(ask(OWNER, number).state).toBe("admitted");
      bench = new WebBench({ hasButton: true }, { password: "" });
    }
  });
});

describe("two that ask", () => {
  it.each([
    ["at two addresses", STRANGER],
    ["at one address", OWNER],
  ])("%s: the press admits nobody, and both are told why", (_, other) => {
    const { number } = ask(OWNER);
    expect(ask(other)).toEqual({ state: "contested", number: "", other: OWNER });
    press();
    expect(bench.console.join("")).toContain(`button: ${OWNER} and ${other} ask to choose the password: nobody may\n`);
    expect(ask(OWNER, number)).toEqual({ state: "contested", number, other });
    expect([choose(OWNER, number), choose(other, number), choose(other)]).toEqual([403, 403, 403]);
  });

  it("a page that polled before the owner came gains nothing, however long", () => {
    const stranger = ask(STRANGER).number;
    for (let time = 0; time < 4 * ASKING_FOR; time += ASKING_FOR / 4) {
      bench.advance(ASKING_FOR / 4);
      ask(STRANGER, stranger);
      expect(ask(OWNER).state).toBe("contested");
      press();
      expect(choose(STRANGER, stranger)).toBe(403);
    }
  });

  it("a stranger is not admitted while the owner's phone sleeps on the way to the button", () => {
    const stranger = ask(STRANGER).number;
    ask(OWNER);
    bench.advance(ASKING_FOR - 1);
    ask(STRANGER, stranger);
    press();
    expect(choose(STRANGER, stranger)).toBe(403);
  });

  it("once the first has left, the second takes its place; a third still contests", () => {
    ask(STRANGER);
    bench.advance(ASKING_FOR / 2);
    ask(OWNER);
    bench.advance(ASKING_FOR / 2);
    const { number, state } = ask(OWNER);
    expect([number, state]).toEqual([expect.stringMatching(/^\d{4}$/), "waiting"]);
    press();
    expect(choose(OWNER, number)).toBe(200);

    bench = new WebBench({ hasButton: true }, { password: "" });
    ask(STRANGER);
    bench.advance(ASKING_FOR / 2);
    ask(THIRD);
    ask(OWNER);
    bench.advance(ASKING_FOR / 2);
    expect(ask(OWNER).state).toBe("contested");
  });

  it("a press has admitted the first; a second that comes later changes nothing", () => {
    const { number } = ask(OWNER);
    press();
    expect(ask(STRANGER).state).toBe("contested");
    press();
    expect(ask(OWNER, number).state).toBe("admitted");
    expect(choose(OWNER, number)).toBe(200);
  });
});

describe("nobody is asked for the button", () => {
  it.each([
    ["without one", { hasButton: false }, ""],
    ["once a password has been chosen", { hasButton: true }, "chosen"],
  ])("%s", (_, options, password) => {
    bench = new WebBench(options, { password: "" });
    if (password) {
      ask(OWNER);
      press();
      expect(choose(OWNER, ask(OWNER).number)).toBe(403);
      bench = new WebBench(options);
    }
    expect(bench.get("/web/session").json).toMatchObject({ data: { button: false } });
    const refused = send("/web/button", {}, OWNER);
    expect([401, 409]).toContain(refused.status);
    press();
    expect(bench.console.join("")).not.toContain("button:");
  });
});
