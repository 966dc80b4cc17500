/** Merges a part of a YAML file into the whole file: maps by member, lists by appending. */
export function joined(old: unknown, given: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(given)) {
    const named = (one: unknown) => (one as { name?: string }).name;
    return [...old.filter((item) => !given.some((other) => named(other) && named(item) === named(other))), ...given];
  }
  if (typeof old !== 'object' || typeof given !== 'object' || old === null || given === null) return given;
  const all = { ...(old as Record<string, unknown>) };
  for (const [name, value] of Object.entries(given))
    all[name] = name in all && name !== 'data_as_of' ? joined(all[name], value) : value;
  return all;
}
