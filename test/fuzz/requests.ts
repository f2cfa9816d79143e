/** HTTP requests: a grammar of what the device's interfaces take, of what they refuse, and of what is damaged on the way. */
import { ASSETS } from "../../src/web/assets";
import { ROUTES } from "../../src/web/router";
import GROUPS from "../../src/settings/tables";
import { COMMANDS_TABLE } from "../../src/catalogue/commands";
import { PARAMETERS_TABLE } from "../../src/catalogue/parameters";
import { damaged, json, object, text } from "./nasty";
import type { Random } from "./random";

/** What grants access. */
export interface Secrets {
  readonly token: string;
  readonly cookie: string;
  readonly password: string;
}

const METHODS = ["GET", "GET", "POST", "POST", "POST", "DELETE", "HEAD", "OPTIONS"];
const WRONG_METHODS = ["PUT", "get", "CONNECT", "*"];
const PATHS = [
  ...ASSETS.map((name) => `/${name}`),
  ...["/", "/favicon.ico", "/metrics", "/generate_204", "/hotspot-detect.html"],
  ...["/api", "/api/bms/status", "/api/bms/config", "/api/bms/commands", "/api/bms/settings", "/api/relay"],
  ...ROUTES.map(({ path }) => path),
  ...Object.keys(GROUPS).map((group) => `/web/group/${group}`),
];
const QUERIES = ["?", "?secrets=1", "?secrets=1", "?older=1", "?a=b&c", "?%00", `?${"q".repeat(300)}`];
const HOST = "127.0.0.1";
const HOSTS = ["evil.example", "", "127.0.0.1:80", "jk-bms.local", "a\tb"];
const TYPES = [
  ...["application/json", "application/json", "application/json; charset=utf-8", "application/x-www-form-urlencoded"],
  ...["application/octet-stream", "text/plain"],
];
const FIELDS = [
  ...["Accept: */*", "Accept-Encoding: gzip", "Accept-Encoding: identity;q=0", "Expect: 100-continue", "X-A: b"],
  ...["If-None-Match: *", "Sec-Fetch-Site: cross-site", "X-Forwarded-For: 1.2.3.4, x", "Connection: close"],
  ...["Connection: keep-alive", "Upgrade: websocket", "Range: bytes=0-"],
];
const WRONG_FIELDS = [
  ...[": nothing", "No colon", " folded", "Host: second", "Content-Length: 5", "Content-Type: \0"],
  ...["Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked"],
];

const membersOf = (fields: object): string[] =>
  Object.entries(fields as Record<string, { fields?: object; items?: object[] }>).flatMap(([name, field]) => [
    name,
    ...(field.fields ? membersOf(field.fields) : []),
    ...(field.items ?? []).flatMap(membersOf),
  ]);
export const NAMES = [
  ...new Set(Object.values(GROUPS).flatMap(({ fields }) => membersOf(fields))),
  ...["command", "setting", "relay", "state", "value", "id", "password", "old", "new", "code", "confirm"],
];

const encoded = (random: Random): string => encodeURIComponent(Buffer.from(text(random)).toString());

function body(random: Random, { password }: Secrets): string {
  switch (random.below(10)) {
    case 0:
      return "";
    case 1:
      return text(random);
    case 2:
      return `${random.of(NAMES)}=${encoded(random)}&${random.of(NAMES)}=${encoded(random)}`;
    case 3:
      return `{"command":"${random.of(COMMANDS_TABLE).name}","state":${json(random, NAMES, 0)}}`;
    case 4:
      return `{"setting":"${random.of(PARAMETERS_TABLE).name}","value":${json(random, NAMES, 0)}}`;
    case 5:
      return `{"password":${random.once(3) ? JSON.stringify(password) : json(random, NAMES, 0)}}`;
    case 6:
      return random.bytes(random.below(4_000)).toString("latin1");
    default:
      return object(random, NAMES);
  }
}

function chunked(random: Random, content: string): string {
  let result = "";
  for (let at = 0; at < content.length;) {
    const part = content.slice(at, at + 1 + random.below(content.length));
    result += `${part.length.toString(16)}${random.once(8) ? ";x=y" : ""}\r\n${part}\r\n`;
    at += part.length;
  }
  return `${result}${random.once(20) ? "fffffffff" : "0"}\r\n\r\n`;
}

export function httpRequest(random: Random, secrets: Secrets): Buffer {
  const { token, cookie } = secrets;
  const method = random.of(random.once(20) ? WRONG_METHODS : METHODS);
  let path = random.of(PATHS);
  if (random.once(12)) path += random.of(["/", "/..", "%2e%2e", "//", ";a", encoded(random)]);
  const host = random.once(12) ? random.of(HOSTS) : HOST;
  const version = random.once(30) ? random.below(10) : 1;
  const lines = [`${method} ${path}${random.once(4) ? random.of(QUERIES) : ""} HTTP/1.${version}`];
  if (host) lines.push(`Host: ${host}`);
  if (!random.once(4)) lines.push(`Authorization: ${random.of(["Bearer ", "bearer "])}${token}`);
  else if (random.once(8)) lines.push(`Authorization: ${random.of(["Bearer ", "Basic "])}${text(random)}`);
  if (!random.once(4)) lines.push(`Cookie: ${cookie}`);
  else if (random.once(2)) lines.push(`Cookie: session=${text(random)}`);
  if (random.once(2)) lines.push(`Origin: http://${random.once(8) ? "evil.example" : host}`);
  for (let count = random.below(4); count > 0; count--) lines.push(random.of(FIELDS));
  if (random.once(20))
    lines.push(random.of([...WRONG_FIELDS, `X: ${text(random)}`, `X: ${"l".repeat(random.below(9_000))}`]));
  let content = "";
  if (method === "POST" || random.once(20)) {
    content = body(random, secrets);
    lines.push(`Content-Type: ${random.of(TYPES)}`);
    if (random.once(5)) {
      lines.push("Transfer-Encoding: chunked");
      content = chunked(random, content);
    } else
      lines.push(
        `Content-Length: ${random.once(20) ? random.of([-1, 0, 5, 1e9]) : Buffer.byteLength(content, "latin1")}`,
      );
  }
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${content}`, "latin1");
  return random.once(10) ? damaged(random, bytes) : bytes;
}
