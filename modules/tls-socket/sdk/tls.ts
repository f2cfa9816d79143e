/** `embedded:io/socket/tcp/tls`, of which the SDK has an example. */
export { default } from "tls-socket/tls-socket";
