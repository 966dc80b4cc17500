// Converts a stored object to its form in the API. The response schema removes members that it doesn't define.
type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type WireValue<Value> = Value extends Date ? string : Value;
export type WireObject<T> = { [Key in keyof T as Key extends string ? SnakeCase<Key> : never]: WireValue<T[Key]> };

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;
/** The stored object for a type of the API: names in camel case, and dates for the members that end in `_at`. */
export type StoredObject<View> = {
  [Key in keyof View as Key extends string ? CamelCase<Key> : never]: Key extends `${string}_at`
    ? Date | Exclude<View[Key], string>
    : View[Key];
};

export const toWireObject = <T extends object>(record: T): WireObject<T> =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value instanceof Date ? value.toISOString() : value,
    ]),
  ) as WireObject<T>;
