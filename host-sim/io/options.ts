/** Constructor options of the platform's classes, for which the SDK's typings export no names. */
import type Digital from "embedded:io/digital";
import type Serial from "embedded:io/serial";
import type Listener from "embedded:io/socket/listener";
import type UDP from "embedded:io/socket/udp";

export type { Options as TCPOptions } from "embedded:io/socket/tcp";
export type SerialOptions = ConstructorParameters<typeof Serial>[0];
export type DigitalOptions = ConstructorParameters<typeof Digital>[0] & { onReadable?: (this: Digital) => void };
export type ListenerOptions = ConstructorParameters<typeof Listener>[0];
export type UDPOptions = ConstructorParameters<typeof UDP>[0];
