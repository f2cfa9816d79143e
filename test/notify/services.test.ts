/** The requests, compared with those of apprise 1.2.0 (test/fixtures/apprise/capture.py). */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { requestBytes, type RequestOptions } from "http-client/request-bytes";
import { MAX_REQUEST_BYTES } from "http-client/limits";
import { SERVICES, type Content, type Member, type Service, type ServiceKind } from "notification-services/services";
import { requestFor, serviceOf, targetsOf, type NotifyTarget } from "../../src/notify/services";
import { MAX_CHANNEL, MAX_NAME, MAX_SERVICE_TOKEN, MAX_URL } from "../../src/settings/limits";
import GROUPS from "../../src/settings/tables";
import { urlOf } from "../../src/settings/url";
import { GROUPS as PAGE, USED_BY } from "../../web/tables";
import { DEFAULTS } from "../support/fakes/settings";

interface Captured {
  readonly method: string;
  readonly path: string;
  readonly host: string;
  readonly fields: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Reference {
  readonly components: {
    readonly schemas: { readonly NotificationTarget: { readonly properties: { readonly kind: { enum: string[] } } } };
  };
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
/** The request of a complete target. */
const requestTo = (to: NotifyTarget, content: Content): RequestOptions =>
  requestFor(serviceOf(to)!, to, urlOf(to.url)!, content);

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
  const { method, path, host, fields, body } = requestTo(to, content);
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

it.each([
  ["pushover", CONTENT],
  ["pushover, urgent", URGENT],
])("%s: the members are those of apprise's form, but for device and sound, which are the owner's", (name, content) => {
  const to = target("pushover", BASE, "UserKey", "AppToken");
  const { method, path, host, fields, body } = requestTo(to, content);
  const theirs = requests[name]!;
  expect([method, path, host, fields]).toEqual([
    theirs.method,
    theirs.path,
    theirs.host,
    [["Content-Type", "application/json"]],
  ]);
  const { priority, ...members } = Object.fromEntries(new URLSearchParams(theirs.body));
  delete members["device"];
  delete members["sound"];
  expect(JSON.parse(body)).toEqual({ ...members, priority: Number(priority) });
});

it("pushover: without an address of the page there is none in the message, and all is within its limits", () => {
  const to = target("pushover", BASE, "UserKey", "AppToken");
  expect(JSON.parse(requestTo(to, { ...CONTENT, link: "" }).body)).not.toHaveProperty("url");
  // https://pushover.net/api: 250 characters of title, 1,024 of message, 512 of address.
  expect([MAX_NAME <= 250, MAX_URL <= 512]).toEqual([true, true]);
});

it("ntfy: a token without a colon is an access token", () => {
  const to = target("ntfy", BASE, "alarms", "tk_abc");
  expect(requestTo(to, CONTENT).fields).toContainEqual(["Authorization", "Bearer tk_abc"]);
});

it.each(["u:p", "us:p", "use:p", "user:p"])("Basic authentication of %s", (token) => {
  const to = target("ntfy", BASE, "alarms", token);
  const expected = `Basic ${Buffer.from(token).toString("base64")}`;
  expect(requestTo(to, CONTENT).fields).toContainEqual(["Authorization", expected]);
});

it("Telegram: what would be markup is escaped, and a channel has its name", () => {
  const to = target("telegram", BASE, "@alarms", BOT);
  const { body } = requestTo(to, { ...CONTENT, title: "A & B", text: "<1>" });
  expect(JSON.parse(body)).toMatchObject({
    chat_id: "@alarms",
    text: "<b>A &amp; B</b>\r\n&lt;1&gt; http://192.168.1.20/",
  });
});

it("webhook: the address as it is, our members, the token as bearer", () => {
  const to = target("webhook", `${BASE}/a/b?c=d`, "", "abc");
  const { path, fields, body } = requestTo(to, URGENT);
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
  expect(requestTo(bare, CONTENT)).toMatchObject({ path: "/", host: "hooks.example" });
});

/** Every member that any service knows, as the longest that settings may hold. */
const ALL = {
  url: `https://${"a".repeat(63)}:65535/`.padEnd(MAX_URL, "p"),
  channel: "c".repeat(MAX_CHANNEL),
  token: "t".repeat(MAX_SERVICE_TOKEN),
} as const;
const KINDS = Object.keys(SERVICES) as ServiceKind[];

describe.each(KINDS)("%s", (kind) => {
  const service: Service = SERVICES[kind];

  it("is complete with what it needs, and only then", () => {
    const given = Object.fromEntries(service.needs.map((member) => [member, ALL[member]]));
    const whole = { ...target(kind, ""), ...given };
    expect(serviceOf(whole)).toBe(service);
    for (const member of service.needs) expect(serviceOf({ ...whole, [member]: "" })).toBeUndefined();
  });

  it("has an address: its own, or one that it needs", () => {
    expect(service.url === "").toBe(service.needs.includes("url"));
    if (service.url) expect(urlOf(service.url)).toMatchObject({ tls: true });
  });

  it("sends what it needs or takes, and nothing else", () => {
    const to = { kind, ...ALL };
    const sent = JSON.stringify(requestTo(to, CONTENT));
    for (const member of ["channel", "token"] as const satisfies readonly Member[])
      expect(sent.includes(ALL[member]), member).toBe([...service.needs, ...service.takes].includes(member));
  });

  it("the longest of everything fits a request", () => {
    const content: Content = { ...URGENT, title: "\u{1f50b}".repeat(32), text: "x".repeat(300) };
    const bytes = requestBytes(requestTo({ kind, ...ALL }, content));
    expect(bytes.length).toBeLessThanOrEqual(MAX_REQUEST_BYTES);
  });
});

describe("every service, and no other, is in", () => {
  const choices = ["off", ...KINDS];

  it("the settings of both targets", () => {
    const { kind1, kind2 } = GROUPS.notify.fields;
    expect([kind1, kind2]).toMatchObject([{ choices }, { choices }]);
  });

  it("the API's reference", () => {
    const { components } = parse(readFileSync("docs/openapi.yaml", "utf8")) as Reference;
    expect(components.schemas.NotificationTarget.properties.kind.enum).toEqual(choices);
  });

  it("the page's form, which asks for what the service uses", () => {
    expect(PAGE.notify).toMatchObject({ kind1: { choices }, kind2: { choices } });
    for (const kind of KINDS) {
      const { url, needs, takes }: Service = SERVICES[kind];
      const uses = new Set<Member>([...(url ? (["url"] as const) : []), ...needs, ...takes]);
      for (const member of ["url", "channel", "token"] as const)
        expect([kind, member, (USED_BY[member] as readonly string[]).includes(kind)]).toEqual([
          kind,
          member,
          uses.has(member),
        ]);
    }
  });
});

it("a target that is off has no service", () => {
  expect(targetsOf(DEFAULTS.notify).map(serviceOf)).toEqual([undefined, undefined]);
});
