import { heap } from "application";

/** Heap that a driver needs to start, bytes. */
export interface Need {
  readonly free: number;
  readonly block: number;
}

/**
 * Whether `what` can be started. The drivers end in ESP_ERROR_CHECK when memory runs out, a panic that no `try` catches. What the platform
 * does not measure counts as enough.
 */
export function hasMemory(what: string, need: Need): boolean {
  const free = heap(0) ?? need.free;
  const block = heap(2) ?? need.block;
  if (free >= need.free && block >= need.block) return true;
  trace(`network: no memory for ${what}: ${free} bytes free, the largest block ${block}\n`);
  return false;
}
