import { MAX_COMMUNITY } from "./limits";

/** Returns the community, which is ASCII. Throws a RangeError beyond MAX_COMMUNITY characters. */
export function communityOf(text: string): string {
  if (text.length > MAX_COMMUNITY) throw new RangeError("the community is too long");
  return text;
}

/** Constant-time comparison of the `length` bytes at `start` with the community. An empty community never matches. */
export function isCommunity(community: string, bytes: Uint8Array, start: number, length: number): boolean {
  let difference = length ^ community.length;
  for (let index = 0; index < MAX_COMMUNITY; index++) {
    const wanted = index < community.length ? community.charCodeAt(index) : 0;
    difference |= wanted ^ (index < length ? (bytes[start + index] as number) : 0);
  }
  return difference === 0 && length > 0;
}
