/** Returns `name`, or the first free name with a number, such as `name_2`. */
export function takeFreeName(takenNames: Set<string>, name: string, separator = '_'): string {
  let freeName = name;
  for (let copy = 2; takenNames.has(freeName); copy++) freeName = `${name}${separator}${copy}`;
  takenNames.add(freeName);
  return freeName;
}
