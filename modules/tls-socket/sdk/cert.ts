/** `ssl/cert` of the SDK. */
export { default } from "tls-socket/certificates";
