/** A field in parentheses: its name, its datatype, marks and other members in braces. */
const FIELD = /(\w+) (\w+)((?: (?:key|time|auto|mask))*)(?: \{((?:[^{}]|\{[^{}]*\})*)\})?(?:, |$)/g;
const MARKS: Record<string, string> = { auto: ', values: auto', mask: ', mask: true' };

/**
 * The text of lens.yaml. It writes out each dataset that has one line, such as
 * `  orders: public.orders (id integer key, placed date time, region string auto, name string mask, price decimal {unit: USD})`.
 * Other members of the dataset follow in braces.
 */
export const lensText = (text: string): string =>
  text.replace(/^ {2}(\w+): (\S+) \((.*)\)(?: \{(.*)\})?$/gm, (_line, dataset, source, list: string, members) => {
    const fields = [...list.matchAll(FIELD)].map(([, name, datatype, marks, more]) => ({
      name,
      marks: marks!.trim().split(' '),
      members: `datatype: ${datatype}${marks!.replace(/ (\w+)/g, (_, mark) => MARKS[mark] ?? '')}${more ? `, ${more}` : ''}`,
    }));
    const marked = (mark: string) => fields.filter(({ marks }) => marks.includes(mark)).map(({ name }) => name);
    const [keys, [time]] = [marked('key'), marked('time')];
    return [
      `  ${dataset}:`,
      `    source: ${source}`,
      ...(keys.length > 0 ? [`    primary_key: [${keys.join(', ')}]`] : []),
      ...(time ? [`    time_field: ${time}`] : []),
      ...(members ? members.split('; ').map((member: string) => `    ${member}`) : []),
      '    fields:',
      ...fields.map((field) => `      ${field.name}: {${field.members}}`),
    ].join('\n');
  });
