/** The packed file is not the linker's: a fault of the packing. */
export class NotTheSame extends Error {}
/** `input`: the linker's `mc.xs.c`; `output`: the packed one. Throws `NotTheSame`. */
export function prove(input: string, output: string): void;
