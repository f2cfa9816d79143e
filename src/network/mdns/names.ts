import { nameOf } from "../dns-message";

/** The device's names in mDNS (RFC 6762) and DNS-SD (RFC 6763), in wire format. */

/** Follows the hostname in the host's name. */
export const LOCAL = nameOf("local");
/** The service type; follows the hostname in the name of its one instance. */
export const SERVICE = nameOf("_http", "_tcp", "local");
/** Of Modbus TCP, while it runs. */
export const MODBUS = nameOf("_modbus", "_tcp", "local");
/** Service type enumeration (RFC 6763 section 9). */
export const SERVICES = nameOf("_services", "_dns-sd", "_udp", "local");
