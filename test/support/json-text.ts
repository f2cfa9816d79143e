import { JsonWriter } from "json/writer";

/** Longer than any document of a pack, bytes. */
const MAX_BYTES = 8192;

/** The object whose members `write` writes. */
export function jsonText(write: (json: JsonWriter) => void): string {
  const buffer = new Uint8Array(MAX_BYTES);
  const json = new JsonWriter().begin(buffer).open();
  write(json);
  return new TextDecoder().decode(buffer.subarray(0, json.close().end()));
}
