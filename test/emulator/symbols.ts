/** Address of a function in the list of symbols that mcconfig's build writes (objdump -t). Throws if there is none of that name. */
export function addressOf(name: string, symbols: string): number {
  const [, address] = new RegExp(`^([0-9a-f]{8}) .* ${name}$`, "m").exec(symbols) ?? [];
  if (address === undefined) throw new Error(`the program has no ${name}`);
  return parseInt(address, 16);
}
