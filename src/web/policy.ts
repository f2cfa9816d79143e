/**
 * Content-Security-Policy: only the device's own files; nothing inline but the script of index.html, which has this digest (web/boot.ts;
 * the build fails if it is another); nothing external, no framing.
 */
export const POLICY =
  "default-src 'none'; script-src 'self' 'sha256-+AZkXLKxKOjkpPiEAg2/3yuilPegpy01zeHgOPKg8vo='; style-src 'self'; " +
  "img-src 'self' data:; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";
