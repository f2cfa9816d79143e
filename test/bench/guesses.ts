/** `npm run bench:guesses`: who gets in while others guess the password; the table of docs/security.md. */
import { setTimeout as pause } from "node:timers/promises";
import { keptPassword } from "../../host-sim/password";
import { ENGINE } from "../support/system/engines";
import { type Client, deviceCookie, guess, persist, signIn } from "../support/web/guessers";
import { startWhole } from "../support/system/whole-system";
import { table, type Cell } from "./table";

const PASSWORD = "correct horse";
const TRIES = Number(process.argv[2] ?? 60);
const WITHIN = 10_000;
/** Connections of those who guess, and their addresses. */
const CONNECTIONS = 4;
const ADDRESSES = 40;
/** Until each of them has guessed wrong once. */
const ALL_TRIED = 70_000;
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
  // Afterwards its address is known: it is new once.
  { name: "a new browser, after 70 s of guesses", from: rotating, owner: { address: OWNER }, seen: "no", tries: 1 },
  {
    name: "the same behind a named proxy",
    from: proxied,
    owner: { address: PROXY, forwarded: "203.0.113.9" },
    seen: "no",
    tries: 1,
  },
];

const rows: Cell[][] = [];
for (const { name, from, owner, seen, tries } of cases) {
  const settings = { web: { password: keptPassword(PASSWORD) }, device: { proxyAddress: PROXY } };
  const whole = await startWhole({ paced: true, settings });
  const port = Number(new URL(whole.url).port);
  const cookie = seen === "no" ? undefined : deviceCookie(await signIn(port, PASSWORD, owner));
  const began = performance.now();
  const guessing = guess(port, CONNECTIONS, from);
  await pause(seen === "no" ? ALL_TRIED : 5_000);
  let within = 0;
  let slowest = 0;
  for (let count = 0; count < tries; count++) {
    const time = await persist(port, PASSWORD, seen === "cookie" ? { ...owner, cookie } : owner, WITHIN);
    if (time !== undefined) within++;
    slowest = Math.max(slowest, time ?? WITHIN);
  }
  const rate = guessing.judged / ((performance.now() - began) / 1_000);
  rows.push([name, `${within} of ${tries}`, (slowest / 1_000).toFixed(1), rate.toFixed(2)]);
  guessing.stop();
  await whole.stop();
}
table(
  `${CONNECTIONS} connections guess from ${ADDRESSES} addresses, ${ENGINE}`,
  ["who signs in", `within ${WITHIN / 1_000} s`, "slowest s", "guesses a second"],
  rows,
);
process.exit(0);
