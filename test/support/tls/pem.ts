const BEGIN = "-----BEGIN CERTIFICATE-----";
const END = "-----END CERTIFICATE-----";
const MOST_LINES = 64;

/** A fake certificate of exactly `characters`, at most 64 of them line feeds: valid PEM around meaningless DER. */
export function pemOf(characters: number): string {
  const feeds = MOST_LINES - ((MOST_LINES - (characters - BEGIN.length - END.length)) & 3);
  const bytes = ((characters - BEGIN.length - END.length - feeds) / 4) * 3;
  const der = Buffer.alloc(bytes, 0x5a);
  der.set([0x30, 0x82, (bytes - 4) >> 8, (bytes - 4) & 0xff]);
  const text = der.toString("base64");
  const lines = Array.from({ length: feeds - 1 }, (_, line) => text.slice(line * 40, line * 40 + 40));
  return [BEGIN, ...lines.slice(0, -1), text.slice((feeds - 2) * 40), END].join("\n");
}
