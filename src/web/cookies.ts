/** What a Cookie field (RFC 6265 section 4.2) has under `name`, which ends in "=". */
export const cookieValue = (field: string | undefined, name: string): string | undefined => {
  for (const pair of field?.split(";") ?? []) {
    const text = pair.trim();
    if (text.startsWith(name)) return text.slice(name.length);
  }
  return undefined;
};
