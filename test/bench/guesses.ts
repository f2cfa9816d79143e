/**
 * `npm run bench:guesses [tries] [new browsers] [who]`: who gets in while others guess the password; the table of docs/security.md. In
 * virtual time, as bench:hostile.
 */
import { hashPassword } from "../../host-sim/password";
import { ENGINE } from "../support/system/engines";
import { type Client, deviceCookie, guess, pause, persist, signIn } from "../support/web/guessers";
import { inStep } from "../support/http/hostile";
import { startWhole } from "../support/system/whole-system";
import type { Cell } from "./figures";
import { table } from "./table";

const PASSWORD = "correct horse";
const TRIES = Number(process.argv[2] ?? 60);
const NEW = Number(process.argv[3] ?? 10);
/** Only those whose name starts so. */
const ONLY = process.argv[4] ?? "";
/** ms for who has signed in before, and for a new browser. */
const WITHIN = 10_000;
const PATIENT = 60_000;
/** Connections of those who guess, and their addresses. */
const CONNECTIONS = 4;
const ADDRESSES = 40;
/** ms between the beginning of the attack and a sign-in; of a new browser a multiple. */
const BEFORE = 7_000;
const OWNER = "127.0.0.200";
const PROXY = "127.0.0.1";

const rotating = (number: number): Client => ({ address: `127.0.0.${2 + (number % ADDRESSES)}` });
const proxied = (number: number): Client => ({ address: PROXY, forwarded: `192.0.2.${1 + (number % ADDRESSES)}` });

interface Case {
  readonly name: string;
  readonly from: (number: number) => Client;
  readonly owner: Client;
  /** The owner's browser, or its address, has been seen: cookie, address, or neither. */
  readonly seen: "cookie" | "address" | "no";
  readonly tries: number;
}

const cases: readonly Case[] = [
  { name: "the owner's browser", from: rotating, owner: { address: OWNER }, seen: "cookie", tries: TRIES },
  {
    name: "the same, all behind one proxy",
    from: () => ({ address: PROXY }),
    owner: { address: PROXY },
    seen: "cookie",
    tries: TRIES,
  },
  {
    name: "another browser at an address that is known",
    from: rotating,
    owner: { address: OWNER },
    seen: "address",
    tries: Math.ceil(TRIES / 6),
  },
  { name: "a new browser", from: rotating, owner: { address: OWNER }, seen: "no", tries: NEW },
  {
    name: "a new browser behind a named proxy",
    from: proxied,
    owner: { address: PROXY, forwarded: "203.0.113.9" },
    seen: "no",
    tries: NEW,
  },
  {
    name: "a new browser at one of their addresses",
    from: rotating,
    owner: rotating(7),
    seen: "no",
    tries: NEW,
  },
  {
    name: "a new browser at their only address",
    from: () => rotating(7),
    owner: rotating(7),
    seen: "no",
    tries: NEW,
  },
];

const rows: Cell[][] = [];
for (const { name, from, owner, seen, tries } of cases.filter((one) => one.name.startsWith(ONLY))) {
  let within = 0;
  let slowest = 0;
  let judged = 0;
  let seconds = 0;
  const limit = seen === "no" ? PATIENT : WITHIN;
  // Whoever has signed in is known: a new browser is new once.
  for (let systems = seen === "no" ? tries : 1; systems; systems--) {
    const settings = { web: { password: hashPassword(PASSWORD) }, device: { proxyAddress: PROXY } };
    const whole = await startWhole({ settings });
    const { clock } = whole;
    const stop = inStep(whole);
    const port = Number(new URL(whole.url).port);
    const cookie = seen === "no" ? undefined : deviceCookie(await signIn(port, PASSWORD, owner));
    const began = clock.now;
    const guessing = guess(clock, port, CONNECTIONS, from);
    // The attack has begun at any time before.
    await pause(clock, seen === "no" ? systems * BEFORE : BEFORE);
    for (let count = seen === "no" ? 1 : tries; count; count--) {
      const time = await persist(clock, port, PASSWORD, seen === "cookie" ? { ...owner, cookie } : owner, limit);
      if (time !== undefined) within++;
      slowest = Math.max(slowest, time ?? limit);
    }
    judged += guessing.judged;
    seconds += (clock.now - began) / 1_000;
    guessing.stop();
    await stop();
    await whole.stop();
  }
  const rate = judged / seconds;
  rows.push([name, `${within} of ${tries}`, `${limit / 1_000} s`, (slowest / 1_000).toFixed(1), rate.toFixed(2)]);
}
table(
  `${CONNECTIONS} connections guess from ${ADDRESSES} addresses unless said otherwise, ${ENGINE}`,
  ["who signs in", "succeed", "within", "slowest s", "guesses a second"],
  rows,
);
process.exit(0);
