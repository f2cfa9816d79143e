/** A separate module, since mcconfig builds only one from each source. */
export { default } from "embedded:storage/flash";
