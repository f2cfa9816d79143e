import { nameOf } from "./dns-message";

const SERVICE = Object.freeze(["_http", "_tcp", "local"] as const, true);

/** The names of a device in mDNS (RFC 6762) and DNS-SD (RFC 6763), as they are on the wire. */
export class MdnsNames {
  /** `<hostname>.local`. */
  readonly host: Uint8Array;
  /** `<hostname>._http._tcp.local`. */
  readonly instance: Uint8Array;
  readonly service = nameOf(...SERVICE);
  /** Under which all kinds of services are listed (RFC 6763 section 9). */
  readonly services = nameOf("_services", "_dns-sd", "_udp", "local");

  constructor(hostname: string) {
    this.host = nameOf(hostname, "local");
    this.instance = nameOf(hostname, ...SERVICE);
  }
}
