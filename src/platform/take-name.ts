/** `name`, or its first copy that isn't taken, such as `name_2`. The result is then taken. */
export function takeName(taken: Set<string>, name: string, separator = '_'): string {
  let free = name;
  for (let copy = 2; taken.has(free); copy++) free = `${name}${separator}${copy}`;
  taken.add(free);
  return free;
}
