/**
 * Returns `name` if it isn't taken, otherwise the first free name with a number, such as `name_2`. Marks the returned
 * name as taken.
 */
export function takeName(takenNames: Set<string>, name: string, separator = '_'): string {
  let freeName = name;
  for (let copy = 2; takenNames.has(freeName); copy++) freeName = `${name}${separator}${copy}`;
  takenNames.add(freeName);
  return freeName;
}
