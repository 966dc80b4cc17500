// "stu_phone, stu_gpa, stu_class" of students: an abbreviated dataset name before columns has no meaning.

/** Letters of the title in order, including the first one: stu, std, crs (course). */
const shortens = (prefix: string, title: string): boolean => {
  if (prefix.length < 3 || prefix.length >= title.length || prefix[0] !== title[0]) return false;
  let at = 0;
  for (const letter of title) if (letter === prefix[at]) at++;
  return at === prefix.length;
};

const SHARED_BY = 3;
/** A dataset's field names without their common prefix. */
export const withoutPrefix = (fields: readonly string[], titles: readonly string[]): ((name: string) => string[]) => {
  const count = new Map<string, number>();
  for (const field of fields) {
    const [first, ...rest] = field.split(' ');
    if (rest.length > 0) count.set(first!, (count.get(first!) ?? 0) + 1);
  }
  const prefixes = [...count].flatMap(([prefix, times]) => {
    const of = times >= SHARED_BY ? titles.filter((title) => shortens(prefix, title)) : [];
    return of.length > 0 ? [{ prefix: `${prefix} `, of }] : [];
  });
  return (name) => {
    const found = prefixes.find(({ prefix }) => name.startsWith(prefix));
    return found ? [name, ...found.of.map((title) => `${title} ${name.slice(found.prefix.length)}`)] : [name];
  };
};
