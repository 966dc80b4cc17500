/** Adds aliases to the columns of a SELECT or RETURNING: `g.created_at` becomes `g.created_at as "createdAt"`. */
export const addCamelCaseAliases = (list: string): string =>
  list.replace(/(?<=^|,)\s*((?:\w+\.)?(\w*_\w+))\s*(?=,|$)/g, (_all, column: string, name: string) => {
    const camel = name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return ` ${column} as "${camel}"`;
  });
