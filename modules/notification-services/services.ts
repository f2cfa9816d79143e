/** The services: what each needs of its owner, and its request. Those of ntfy, Gotify and Telegram are apprise 1.2.0's; it sends Pushover a form. */

/** What the owner gives: the server's address; a topic, a chat, a user; what proves that it is them. */
export type Member = "url" | "channel" | "token";

/** A message in words. */
export interface Content {
  readonly title: string;
  /** A sentence. */
  readonly text: string;
  /** The device's page; empty: it has no address. */
  readonly link: string;
  readonly urgent: boolean;
  /** What the webhook has beside these. */
  readonly facts: Readonly<Record<string, string | number | readonly number[] | null>>;
}

export interface Request {
  /** Below that of the address; undefined: the address as it is. */
  readonly path?: string;
  /** In addition to Content-Type. */
  readonly fields?: readonly (readonly [name: string, value: string])[];
  /** Becomes JSON. */
  readonly body: object;
}

export interface Service {
  /** Its own server's address, unless the owner gives another; empty: the owner has to. */
  readonly url: string;
  /** Members without which nothing is sent. */
  readonly needs: readonly Member[];
  /** Members that are used besides, if they are given. */
  readonly takes: readonly Member[];
  readonly request: (content: Content, channel: string, token: string) => Request;
}

/** Gotify's, as apprise has them for normal and high. */
const GOTIFY_NORMAL = 5;
const GOTIFY_HIGH = 8;
/** Pushover's: high is shown in quiet hours too, and need not be confirmed. */
const PUSHOVER_NORMAL = 0;
const PUSHOVER_HIGH = 1;
/** A chat's number has up to 13 digits; a channel has a name. */
const MAX_DIGITS = 15;

/** By kind. A new service is a new row. */
export const SERVICES = Object.freeze(
  {
    webhook: {
      url: "",
      needs: ["url"],
      takes: ["token"],
      request: ({ facts, urgent, title, text, link }, _channel, token) => ({
        fields: token ? [["Authorization", `Bearer ${token}`]] : [],
        body: { ...facts, priority: urgent ? "high" : "default", title, message: text, url: link },
      }),
    },
    ntfy: {
      url: "",
      needs: ["url", "channel"],
      takes: ["token"],
      request: (content, topic, token) => {
        const fields: [string, string][] = [];
        if (content.urgent) fields.push(["X-Priority", "high"], ["X-Tags", "warning"]);
        if (token) fields.push(["Authorization", token.includes(":") ? `Basic ${base64(token)}` : `Bearer ${token}`]);
        return { path: "/", fields, body: { topic, title: content.title, message: withLink(content) } };
      },
    },
    gotify: {
      url: "",
      needs: ["url", "token"],
      takes: [],
      request: (content, _channel, token) => ({
        path: "/message",
        fields: [["X-Gotify-Key", token]],
        body: {
          priority: content.urgent ? GOTIFY_HIGH : GOTIFY_NORMAL,
          title: content.title,
          message: withLink(content),
        },
      }),
    },
    telegram: {
      url: "https://api.telegram.org",
      needs: ["channel", "token"],
      takes: [],
      request: (content, channel, token) => {
        const chat = Number(channel);
        return {
          path: `/bot${token}/sendMessage`,
          body: {
            disable_notification: false,
            disable_web_page_preview: true,
            parse_mode: "HTML",
            text: `<b>${markup(content.title)}</b>\r\n${markup(withLink(content))}`,
            chat_id: channel.length <= MAX_DIGITS && String(chat) === channel ? chat : channel,
          },
        };
      },
    },
    // https://pushover.net/api: at most 1,024 characters in the message, 250 in the title, 512 in the address.
    pushover: {
      url: "https://api.pushover.net",
      needs: ["channel", "token"],
      takes: [],
      request: ({ title, text, link, urgent }, user, token) => ({
        path: "/1/messages.json",
        body: {
          token,
          user,
          priority: urgent ? PUSHOVER_HIGH : PUSHOVER_NORMAL,
          title,
          message: text,
          ...(link && { url: link }),
        },
      }),
    },
  } satisfies Record<string, Service>,
  true,
);

export type ServiceKind = keyof typeof SERVICES;

const withLink = ({ text, link }: Content): string => text + (link && ` ${link}`);

/** For Telegram's HTML. */
export const markup = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Of ASCII (RFC 4648 section 4). */
export function base64(text: string): string {
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
