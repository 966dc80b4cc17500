// Converts a stored object to the shape of the API: names in snake case, times as strings. The schema of the reply
// removes members that it doesn't define.
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type WireValue<Value> = Value extends Date ? string : Value;
export type Wire<T> = { [Key in keyof T as Key extends string ? SnakeCase<Key> : never]: WireValue<T[Key]> };

export const wireOf = <T extends object>(record: T): Wire<T> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as Wire<T>;
