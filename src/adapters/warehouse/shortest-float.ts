/** Returns the shortest decimal that identifies a 32-bit float: 0.1, not 0.10000000149011612. */
export function toShortestFloat32(value: number): number {
  for (let digits = 6; digits < 9; digits++) {
    const shortest = Number(value.toPrecision(digits));
    if (Math.fround(shortest) === Math.fround(value)) return shortest;
  }
  return value;
}
