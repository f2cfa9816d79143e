/** Where messages go: the targets of the settings, and a message as a request to one of them. */
import type { RequestOptions } from "http-client/request-bytes";
import { SERVICES, type Content, type Service } from "notification-services/services";
import type { NotifyKind, NotifySettings } from "../settings/types";
import type { ServiceUrl } from "../settings/url";

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

/** The target's service, if it is on and everything is there that the service needs. */
export function serviceOf(target: NotifyTarget): Service | undefined {
  if (target.kind === "off") return undefined;
  const service: Service = SERVICES[target.kind];
  return service.needs.every((member) => target[member]) ? service : undefined;
}

export function requestFor(service: Service, target: NotifyTarget, url: ServiceUrl, content: Content): RequestOptions {
  const { tls, host, port, path: base } = url;
  const { path, fields = [], body } = service.request(content, target.channel, target.token);
  // Sub-paths may end in a slash or not.
  const below = base.endsWith("/") ? base.slice(0, -1) : base;
  return {
    method: "POST",
    path: path === undefined ? base || "/" : below + path,
    host: port === (tls ? 443 : 80) ? host : `${host}:${port}`,
    fields: [["Content-Type", "application/json"], ...fields],
    body: ascii(JSON.stringify(body)),
  };
}

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
