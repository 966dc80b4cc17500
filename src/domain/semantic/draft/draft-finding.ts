// What a person should look at before relying on a draft: the same list in the job's result, at the end of the draft's text and
// in what the command prints.
export interface DraftFinding {
  topic: 'join' | 'code' | 'adding_up' | 'person' | 'date' | 'text';
  /** dataset.column */
  about: string;
  message: string;
}
/** What is the matter, and what to write. */
const TOPICS: Record<DraftFinding['topic'], [string, string]> = {
  join: ['Joins left out, because names suggest them but values do not match', ''],
  date: ['Several possible dates', ' Name one as time_field. Until then, svc asks back if a question names no date.'],
  person: ['Fields about people that callers of this lens can see', ' "mask: true" hides one.'],
  adding_up: ['Not known whether these add up', ' "aggregation: sum", "average", "latest" (a level) or "none" does.'],
  code: ['Codes with unknown meanings', ' "values: [{value: A, synonyms: [active]}]" does.'],
  text: [
    'Text columns that look like dates or numbers',
    ` Over files, a select of the connection says what it is: "select * replace (strptime(day, '%d/%m/%Y')::date as day) from source", or '%m/%d/%Y' where the month comes first.`,
  ],
};
/** By topic, in one line where nothing more is said of its fields than their names. What a draft did decide is among its facts. */
export function findingText(items: readonly DraftFinding[], leftOut: readonly string[]): string[] {
  const lines = (Object.keys(TOPICS) as DraftFinding['topic'][]).flatMap((topic) => {
    const own = items.filter((one) => one.topic === topic);
    const [matter, advice] = TOPICS[topic];
    if (own.length === 0) return [];
    return own.every(({ message }) => message === '')
      ? [`${matter}: ${own.map(({ about }) => about).join(', ')}.${advice}`]
      : [`${matter}.${advice}`, ...own.map(({ about, message }) => `- ${about} ${message}`)];
  });
  const all = [...lines, ...(leftOut.length > 0 ? [`Left out: ${leftOut.join(', ')}.`] : [])];
  return all.length > 0 ? ['Review before people rely on this lens:', ...all] : [];
}
