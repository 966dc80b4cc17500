/** Merges a part of a YAML file into the whole file: maps by member, lists by appending. */
export function mergeYaml(old: unknown, addedPart: unknown): unknown {
  if (Array.isArray(old) && Array.isArray(addedPart)) {
    const nameOfItem = (item: unknown) => (item as { name?: string }).name;
    return [
      ...old.filter((item) => !addedPart.some((other) => nameOfItem(other) && nameOfItem(item) === nameOfItem(other))),
      ...addedPart,
    ];
  }
  if (typeof old !== 'object' || typeof addedPart !== 'object' || old === null || addedPart === null) return addedPart;
  const all = { ...(old as Record<string, unknown>) };
  for (const [name, value] of Object.entries(addedPart))
    all[name] = name in all && name !== 'data_as_of' ? mergeYaml(all[name], value) : value;
  return all;
}
