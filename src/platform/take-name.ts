/**
 * Returns `name` if it isn't taken, otherwise the first free name with a number, such as `name_2`. Marks the returned
 * name as taken.
 */
export function takeName(taken: Set<string>, name: string, separator = '_'): string {
  let free = name;
  for (let copy = 2; taken.has(free); copy++) free = `${name}${separator}${copy}`;
  taken.add(free);
  return free;
}
