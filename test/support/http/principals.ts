/** Hostile clients who hold a credential, from a stranger to a token that may write. */
import type { Whole } from "../../suites/whole";
import { WebClient } from "../web/web-client";
import { type Kind, drip, keeps } from "./hostile";

/** Settings by which all of them, and the owner, can sign in at once. */
export { hashPassword } from "../../../host-sim/password";
export const PASSWORD = "correct horse";
export const GUEST_PASSWORD = "just looking";

export const PRINCIPALS = ["stranger", "link", "guest", "reading token", "writing token"] as const;
export type PrincipalName = (typeof PRINCIPALS)[number];

export interface Credentials {
  /** The owner's session, as a header line. */
  readonly owner: string;
  /** Theirs, each as a header line; a stranger has none. */
  readonly of: Readonly<Record<PrincipalName, string>>;
}

/** Signs everybody in, from addresses of their own. */
export async function credentials({ url }: Pick<Whole, "url">): Promise<Credentials> {
  const owner = new WebClient({ url }, "127.0.0.9");
  await owner.signIn(PASSWORD);
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await owner.send("POST", path, { body });
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    return (answer.json as { data: { token: string } }).data.token;
  };
  const guests = await owner.send("POST", "/web/guest", { body: { password: GUEST_PASSWORD } });
  if (guests.status !== 200) throw new Error(`no guests: ${guests.status}`);
  const [link, guest] = [new WebClient({ url }, "127.0.0.10"), new WebClient({ url }, "127.0.0.11")];
  await link.send("POST", "/web/session", { body: { link: await made("/web/links", { name: "Wall" }) } });
  await guest.send("POST", "/web/session", { body: { password: GUEST_PASSWORD, guest: true } });
  const cookie = ({ cookie }: WebClient): string => `Cookie: ${String(cookie)}\r\n`;
  const bearer = async (write: boolean): Promise<string> =>
    `Authorization: Bearer ${await made("/web/tokens", { name: write ? "Writer" : "Reader", write })}\r\n`;
  return {
    owner: cookie(owner),
    of: {
      stranger: "",
      link: cookie(link),
      guest: cookie(guest),
      "reading token": await bearer(false),
      "writing token": await bearer(true),
    },
  };
}

/** A request of who has `credential`, up to the end of its head. */
export function head(url: string, method: string, path: string, credential: string, length = 0): string {
  const { host, origin } = new URL(url);
  const body = length ? `Origin: ${origin}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n` : "";
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${credential}${body}\r\n`;
}

/** What each does to the connections that it gets. */
export function loadsOf(url: string, credential: string): Readonly<Record<string, Kind>> {
  const isToken = credential.startsWith("Authorization");
  const read = head(url, "GET", isToken ? "/api/bms/status" : "/web/status", credential);
  const write = head(url, "POST", isToken ? "/api/bms/commands" : "/web/session", credential, 200);
  return {
    "half a head": (socket) => void socket.write(read.slice(0, -2)),
    "half a body": (socket) => void socket.write(`${write}{`),
    "a slow body": drip(write),
    "an unread answer": (socket) => void socket.pause().write(read.repeat(20)),
    "an event stream": (socket) => void socket.write(head(url, "GET", "/web/events", credential)),
    "kept and asking": keeps(read),
  };
}
