/** The value of `name`, which ends in "=", in a Cookie field (RFC 6265 section 4.2). */
export const cookieValue = (field: string | undefined, name: string): string | undefined => {
  for (const pair of field?.split(";") ?? []) {
    const text = pair.trim();
    if (text.startsWith(name)) return text.slice(name.length);
  }
  return undefined;
};
