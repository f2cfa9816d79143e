/** A module of its own, since mcconfig makes but one of a source. */
export { default } from "embedded:storage/flash";
