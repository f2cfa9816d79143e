/** The requests of the services: those that apprise 1.2.0 sends, so that what works with it works here. */
import type { RequestOptions } from "http-client/request-bytes";
import type { NotifyKind, NotifySettings } from "../settings/types";
import type { ServiceUrl } from "../settings/url";

/** Where messages go. */
export interface NotifyTarget {
  readonly kind: NotifyKind;
  readonly url: string;
  readonly channel: string;
  readonly token: string;
}

/** Both targets of the settings. */
export const targetsOf = (settings: NotifySettings): readonly NotifyTarget[] => [
  { kind: settings.kind1, url: settings.url1, channel: settings.channel1, token: settings.token1 },
  { kind: settings.kind2, url: settings.url2, channel: settings.channel2, token: settings.token2 },
];

/** A message in words. */
export interface Content {
  readonly title: string;
  /** A sentence. */
  readonly text: string;
  /** The device's page; empty: it has no address. */
  readonly link: string;
  readonly urgent: boolean;
  /** What the webhook has beside these. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

/** Gotify's, as apprise has them for normal and high. */
const GOTIFY_NORMAL = 5;
const GOTIFY_HIGH = 8;
/** A chat's number has up to 13 digits; a channel has a name. */
const MAX_DIGITS = 15;

/** Telegram's own server. */
export const TELEGRAM_URL = "https://api.telegram.org";

/** Whether everything is there that the service needs. */
export function isComplete({ kind, url, channel, token }: NotifyTarget): boolean {
  switch (kind) {
    case "webhook":
      return url !== "";
    case "ntfy":
      return url !== "" && channel !== "";
    case "gotify":
      return url !== "" && token !== "";
    case "telegram":
      return channel !== "" && token !== "";
    case "off":
      return false;
  }
}

export function requestFor({ kind, channel, token }: NotifyTarget, url: ServiceUrl, content: Content): RequestOptions {
  const { title, urgent, link } = content;
  const message = content.text + (link && ` ${link}`);
  // Sub-paths may end in a slash or not.
  const base = url.path.endsWith("/") ? url.path.slice(0, -1) : url.path;
  const fields: [string, string][] = [["Content-Type", "application/json"]];
  let path = `${base}/`;
  let body: object;
  switch (kind) {
    case "ntfy":
      if (urgent) fields.push(["X-Priority", "high"], ["X-Tags", "warning"]);
      if (token) fields.push(["Authorization", token.includes(":") ? `Basic ${base64(token)}` : `Bearer ${token}`]);
      body = { topic: channel, title, message };
      break;
    case "gotify":
      path += "message";
      fields.push(["X-Gotify-Key", token]);
      body = { priority: urgent ? GOTIFY_HIGH : GOTIFY_NORMAL, title, message };
      break;
    case "telegram": {
      path += `bot${token}/sendMessage`;
      const chat = Number(channel);
      body = {
        disable_notification: false,
        disable_web_page_preview: true,
        parse_mode: "HTML",
        text: `<b>${markup(title)}</b>\r\n${markup(message)}`,
        chat_id: channel.length <= MAX_DIGITS && String(chat) === channel ? chat : channel,
      };
      break;
    }
    case "webhook":
    case "off":
      path = url.path || "/";
      if (token) fields.push(["Authorization", `Bearer ${token}`]);
      body = { ...content.facts, priority: urgent ? "high" : "default", title, message: content.text, url: link };
  }
  const { tls, host, port } = url;
  return {
    method: "POST",
    path,
    host: port === (tls ? 443 : 80) ? host : `${host}:${port}`,
    fields,
    body: ascii(JSON.stringify(body)),
  };
}

/** For Telegram's HTML. */
const markup = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

/** JSON with everything beyond ASCII escaped. */
function ascii(json: string): string {
  let text = "";
  let from = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code <= 0x7e) continue;
    text += `${json.slice(from, at)}\\u${code.toString(16).padStart(4, "0")}`;
    from = at + 1;
  }
  return text + json.slice(from);
}

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Of ASCII (RFC 4648 section 4). */
function base64(text: string): string {
  let encoded = "";
  for (let at = 0; at < text.length; at += 3) {
    const left = text.length - at;
    const bits =
      (text.charCodeAt(at) << 16) |
      (left > 1 ? text.charCodeAt(at + 1) << 8 : 0) |
      (left > 2 ? text.charCodeAt(at + 2) : 0);
    for (let digit = 0; digit < 4; digit++)
      encoded += digit > left ? "=" : DIGITS.charAt((bits >> (18 - 6 * digit)) & 63);
  }
  return encoded;
}
