import { nameOf } from "../dns-message";

/** The names of a device in mDNS (RFC 6762) and DNS-SD (RFC 6763), as they are on the wire. */

/** After the hostname: that of the host. */
export const LOCAL = nameOf("local");
/** That of the service; after the hostname, that of its one instance. */
export const SERVICE = nameOf("_http", "_tcp", "local");
/** Under which all kinds of services are listed (RFC 6763 section 9). */
export const SERVICES = nameOf("_services", "_dns-sd", "_udp", "local");
