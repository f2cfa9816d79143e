/** The requests, compared with those of apprise 1.2.0 (test/fixtures/apprise/capture.py). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { requestBytes } from "http-client/request-bytes";
import { MAX_REQUEST_BYTES } from "http-client/limits";
import { isComplete, requestFor, targetsOf, type Content, type NotifyTarget } from "../../src/notify/services";
import { MAX_CHANNEL, MAX_SERVICE_TOKEN, MAX_URL } from "../../src/settings/limits";
import { urlOf, type ServiceUrl } from "../../src/settings/url";
import { DEFAULTS } from "../support/fakes/settings";

interface Captured {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

const { apprise, requests } = JSON.parse(readFileSync("test/fixtures/apprise/requests.json", "utf8")) as {
  apprise: string;
  requests: Record<string, Captured>;
};

const CONTENT: Content = {
  title: "Shed",
  text: "Tensão alta.",
  link: "http://192.168.1.20/",
  urgent: false,
  facts: { event: "alarm", alarm: "cell_undervoltage", count: 2, time: null },
};
const URGENT: Content = { ...CONTENT, urgent: true };

const target = (kind: NotifyTarget["kind"], url: string, channel = "", token = ""): NotifyTarget => ({
  kind,
  url,
  channel,
  token,
});
const at = ({ url }: NotifyTarget): ServiceUrl => urlOf(url)!;

const BOT = "123456789:AAbbccddeeffgghhiijjkkllmmnnooppqqr";
const BASE = "http://127.0.0.1:8080";

it("the captures are of the version that is documented", () => {
  expect(apprise).toBe("1.2.0");
});

it.each<[string, NotifyTarget, Content]>([
  ["ntfy", target("ntfy", BASE, "alarms"), CONTENT],
  ["ntfy, urgent, with a password", target("ntfy", `${BASE}/`, "alarms", "user:pass"), URGENT],
  ["gotify", target("gotify", BASE, "", "AppToken"), CONTENT],
  ["gotify, urgent, below a path", target("gotify", `${BASE}/sub`, "", "AppToken"), URGENT],
  ["gotify, urgent, below a path", target("gotify", `${BASE}/sub/`, "", "AppToken"), URGENT],
  ["telegram", target("telegram", BASE, "-1001234567", BOT), CONTENT],
])("%s: method, path, host, fields and members are those of apprise", (name, to, content) => {
  const { method, path, host, fields, body } = requestFor(to, at(to), content);
  const theirs = requests[name]!;
  expect([method, path, host, Object.fromEntries(fields)]).toEqual([
    theirs.method,
    theirs.path,
    theirs.host,
    theirs.fields,
  ]);
  expect(JSON.parse(body)).toEqual(JSON.parse(theirs.body));
  // Nothing beyond ASCII on the wire, as there.
  expect(/^[\x20-\x7e]*$/.test(body)).toBe(true);
});

it("ntfy: a token without a colon is an access token", () => {
  const to = target("ntfy", BASE, "alarms", "tk_abc");
  expect(requestFor(to, at(to), CONTENT).fields).toContainEqual(["Authorization", "Bearer tk_abc"]);
});

it.each(["u:p", "us:p", "use:p", "user:p"])("Basic authentication of %s", (token) => {
  const to = target("ntfy", BASE, "alarms", token);
  const expected = `Basic ${Buffer.from(token).toString("base64")}`;
  expect(requestFor(to, at(to), CONTENT).fields).toContainEqual(["Authorization", expected]);
});

it("Telegram: what would be markup is escaped, and a channel has its name", () => {
  const to = target("telegram", BASE, "@alarms", BOT);
  const { body } = requestFor(to, at(to), { ...CONTENT, title: "A & B", text: "<1>" });
  expect(JSON.parse(body)).toMatchObject({
    chat_id: "@alarms",
    text: "<b>A &amp; B</b>\r\n&lt;1&gt; http://192.168.1.20/",
  });
});

it("webhook: the address as it is, our members, the token as bearer", () => {
  const to = target("webhook", `${BASE}/a/b?c=d`, "", "abc");
  const { path, fields, body } = requestFor(to, at(to), URGENT);
  expect([path, fields]).toEqual([
    "/a/b?c=d",
    [
      ["Content-Type", "application/json"],
      ["Authorization", "Bearer abc"],
    ],
  ]);
  expect(JSON.parse(body)).toEqual({
    event: "alarm",
    alarm: "cell_undervoltage",
    count: 2,
    time: null,
    priority: "high",
    title: "Shed",
    message: "Tensão alta.",
    url: "http://192.168.1.20/",
  });
  const bare = target("webhook", "https://hooks.example");
  expect(requestFor(bare, at(bare), CONTENT)).toMatchObject({ path: "/", host: "hooks.example" });
});

it("says what is missing: nothing is sent without", () => {
  for (const [whole, ...needed] of [
    [target("webhook", BASE), "url"],
    [target("ntfy", BASE, "a"), "url", "channel"],
    [target("gotify", BASE, "", "t"), "url", "token"],
    [target("telegram", "", "1", "t"), "channel", "token"],
  ] as const) {
    expect(isComplete(whole)).toBe(true);
    for (const member of needed) expect(isComplete({ ...whole, [member]: "" })).toBe(false);
  }
  expect(targetsOf(DEFAULTS.notify).map(isComplete)).toEqual([false, false]);
});

it("the longest of everything fits a request", () => {
  const url = `https://${"a".repeat(63)}:65535/`.padEnd(MAX_URL, "p");
  const content: Content = { ...URGENT, title: "\u{1f50b}".repeat(32), text: "x".repeat(300) };
  for (const kind of ["webhook", "ntfy", "gotify", "telegram"] as const) {
    const to = target(kind, url, "c".repeat(MAX_CHANNEL), "t".repeat(MAX_SERVICE_TOKEN));
    expect(requestBytes(requestFor(to, at(to), content)).length).toBeLessThanOrEqual(MAX_REQUEST_BYTES);
  }
});
