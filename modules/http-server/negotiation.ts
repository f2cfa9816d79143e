/* Content negotiation and validators: Accept-Encoding and If-None-Match. */

/**
 * Whether an Accept-Encoding (RFC 9110 section 12.5.3) accepts gzip: listed with a weight above 0, or not listed while `*` is accepted.
 * Without the field every coding is accepted.
 */
export function acceptsGzip(value: string | undefined): boolean {
  if (value === undefined) return true;
  let any = false;
  for (const element of value.toLowerCase().split(",")) {
    const [name = "", parameter = ""] = element.split(";");
    const weight = parameter.trim();
    const taken = !weight.startsWith("q=") || Number(weight.slice(2)) > 0;
    const coding = name.trim();
    if (coding === "gzip" || coding === "x-gzip") return taken;
    if (coding === "*") any = taken;
  }
  return any;
}

/** Whether an If-None-Match (RFC 9110 section 13.1.2) matches `etag`, by weak comparison (section 8.8.3.2), or is `*`. */
export function matchesEtag(value: string | undefined, etag: string): boolean {
  if (value === undefined) return false;
  if (value === "*") return true;
  const opaque = etag.startsWith("W/") ? etag.slice(2) : etag;
  for (let at = 0; at < value.length;) {
    while (value[at] === " " || value[at] === "\t") at++;
    if (value.startsWith("W/", at)) at += 2;
    if (value[at] === '"') {
      const close = value.indexOf('"', at + 1);
      if (close < 0) return false;
      if (value.slice(at, close + 1) === opaque) return true;
      at = close + 1;
    }
    const comma = value.indexOf(",", at);
    if (comma < 0) return false;
    at = comma + 1;
  }
  return false;
}
