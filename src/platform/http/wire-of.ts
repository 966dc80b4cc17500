// Converts a stored object to the shape of the API: names in snake case, times as strings. The reply's schema drops
// other members.
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name;
type Text<Value> = Value extends Date ? string : Value;
export type Wire<T> = { [Key in keyof T as Key extends string ? Snake<Key> : never]: Text<T[Key]> };

export const wireOf = <T extends object>(stored: T): Wire<T> =>
  Object.fromEntries(
    Object.entries(stored).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as Wire<T>;
