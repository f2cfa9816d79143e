import { MAX_ARC, MAX_OID_KEPT } from "./limits";
import type { Arcs } from "./types";

/** Throws a RangeError for one that is not from 0 to MAX_ARC. */
export function arcs(...ids: readonly number[]): Arcs {
  for (const id of ids) if (!(id >= 0 && id <= MAX_ARC)) throw new RangeError("sub-identifier too large");
  return String.fromCharCode(...ids);
}

export function hasArc(ids: Arcs, id: number): boolean {
  for (let index = 0; index < ids.length; index++) if (ids.charCodeAt(index) === id) return true;
  return false;
}

/** A reusable object identifier. */
export class Oid {
  /** The first MAX_OID_KEPT sub-identifiers. */
  readonly ids = new Uint32Array(MAX_OID_KEPT);
  /** Number of sub-identifiers, including those not kept. */
  length = 0;

  clear(): void {
    this.length = 0;
  }

  append(id: number): void {
    if (this.length < MAX_OID_KEPT) this.ids[this.length] = id;
    this.length++;
  }

  /** The sub-identifier at `index`, from 0; 0 past the end. */
  at(index: number): number {
    return index < this.length ? (this.ids[index] ?? 0) : 0;
  }

  /** Sets this to `prefix`, `object` and the indices of its instance. */
  setInstance(prefix: Arcs, object: number, instance: number, second?: number): void {
    this.length = 0;
    for (let index = 0; index < prefix.length; index++) this.append(prefix.charCodeAt(index));
    this.append(object);
    this.append(instance);
    if (second !== undefined) this.append(second);
  }

  /** Position relative to the subtree `prefix`: -1 before it, 0 within it, 1 after it. */
  placeTo(prefix: Arcs): -1 | 0 | 1 {
    for (let index = 0; index < prefix.length; index++) {
      if (index >= this.length) return -1;
      const difference = (this.ids[index] as number) - prefix.charCodeAt(index);
      if (difference) return difference < 0 ? -1 : 1;
    }
    return 0;
  }
}
