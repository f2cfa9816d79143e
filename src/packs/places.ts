/** Copies what is kept of the packs, `each` numbers of one behind the other. @param places of each pack: where it was; negative: it is new */
export function move(
  before: Int32Array | Uint32Array,
  after: Int32Array | Uint32Array,
  each: number,
  places: readonly number[],
): void {
  places.forEach((place, index) => {
    if (place >= 0) after.set(before.subarray(place * each, (place + 1) * each), index * each);
  });
}
