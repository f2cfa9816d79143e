/** `ssl/ciphersuites` of the SDK. */
export { default } from "tls-socket/cipher-suites";
