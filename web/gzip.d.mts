/** gzip by Zopfli; the same bytes on every machine. Results are kept in `folder`. */
export function gzip(text: string, folder?: string): Promise<Buffer>;
