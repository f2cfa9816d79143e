/** What public services send to the TLS socket: long chains, through nginx and from a server of Go. Under AddressSanitizer. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { MAX_FRAGMENT, MAX_HANDSHAKE } from "tls-socket/limits";
import { NativeProgram } from "../support/boards/native-program";
import { GoServer } from "../support/peers/go-server";
import { Nginx } from "../support/peers/nginx";
import { Authority, dersOf, serverOfLength, type KeyKind, type ServerFiles } from "../support/tls/certificates";
import { buildClient } from "./tls/build";

const HOST = "push.example.org";
const NAMES = `DNS:${HOST}`;
const REQUEST = `GET /nothing HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`;
const KB = 1_024;

let built: Awaited<ReturnType<typeof buildClient>>;
let authorities: Readonly<Record<KeyKind, Authority>>;
let program: NativeProgram;
let nginx: Nginx;
let go: GoServer;
let unknown: Authority | undefined;

beforeAll(async () => {
  built = await buildClient();
  authorities = { ec: new Authority("ec"), rsa: new Authority("rsa", "Other CA") };
});
afterAll(() => {
  for (const authority of Object.values(authorities)) authority.remove();
});
beforeEach(() => {
  program = new NativeProgram(built);
  nginx = new Nginx();
  go = new GoServer();
});
afterEach(async () => {
  await nginx.stop();
  await go.stop();
  unknown?.remove();
  unknown = undefined;
  expect(await program.stop()).toEqual({ status: 0, words: "" });
});

const roots = (): number[] => Object.values(authorities).flatMap(({ pem }) => [...dersOf(pem)[0]!]);

/** The answer's first line, or why there is none. */
async function ask(port: number, more: object = {}): Promise<unknown> {
  const date = Math.floor(Date.now() / 1_000);
  program.send({ open: { port, host: HOST, ca: roots(), date, send: REQUEST, ...more } });
  const { received, error } = await program.until("the end", (said) => "received" in said || "error" in said);
  return error ?? String(received).split("\r\n")[0];
}

const KINDS = ["ec", "rsa"] as const;
const LENGTHS = [2, 4, 6].map((length) => length * KB);
/** RSA's certificates are long. */
const pairs = KINDS.flatMap((kind) => LENGTHS.map((length) => [kind, length] as const)).filter(
  ([kind, length]) => kind === "ec" || length > 2 * KB,
);

describe("a server of Go, which sends its chain in one record", () => {
  it.each(pairs)("of %s with %i bytes of certificates is trusted", async (kind, length) => {
    await go.serve(serverOfLength(authorities[kind], length, { names: NAMES }));
    expect(await ask(go.port)).toBe("HTTP/1.1 404 Not Found");
  });

  it.each([-1, 0, 1])("is understood with %i bytes more than the longest record", async (more) => {
    await go.serve(serverOfLength(authorities.ec, MAX_HANDSHAKE + more, { names: NAMES }));
    expect(await ask(go.port)).toBe(more > 0 ? "tls-long-record" : "HTTP/1.1 404 Not Found");
  });
});

describe("nginx, which does what max_fragment_length says", () => {
  // Debian's mbedTLS 2.28 reads no message in several records, ESP-IDF's 4 does.
  it.each(pairs.filter(([, length]) => length <= MAX_FRAGMENT))(
    "of %s with %i bytes of certificates",
    async (kind, length) => {
      await nginx.serve(serverOfLength(authorities[kind], length, { names: NAMES }), "welcome");
      expect(await ask(nginx.port)).toBe("HTTP/1.1 200 OK");
    },
  );

  it.each<[string, () => ServerFiles, object?]>([
    ["certificate-expired", () => serverOfLength(authorities.ec, 2 * KB, { names: NAMES, days: -1 })],
    ["certificate-name", () => serverOfLength(authorities.ec, 2 * KB, { names: "DNS:ntfy.example.org" })],
    ["certificate-untrusted", () => serverOfLength((unknown = new Authority("ec")), 2 * KB, { names: NAMES })],
  ])("gives %s", async (problem, make) => {
    await nginx.serve(make(), "welcome");
    expect(await ask(nginx.port)).toBe(problem);
  });

  it("gives ca-expired when the root has expired", async () => {
    await nginx.serve(serverOfLength(authorities.ec, 2 * KB, { names: NAMES, days: 5_000 }), "welcome");
    const years = 11 * 366 * 86_400;
    expect(await ask(nginx.port, { date: Math.floor(Date.now() / 1_000) + years })).toBe("ca-expired");
  });
});
