// A finding is a point to review before people rely on a draft.
export interface DraftFinding {
  topic: 'join' | 'code' | 'adding_up' | 'person' | 'date' | 'text';
  /** The column, written as `dataset.column`. */
  about: string;
  message: string;
}
const FINDING_TOPICS: Record<DraftFinding['topic'], [string, string]> = {
  join: ['Joins left out, because the values do not prove them', ''],
  date: [
    'Several possible dates',
    ' Name one as time_field. Until then, svc asks for clarification if a question names no date.',
  ],
  person: ['Personal data that callers of this lens can see', ' To hide a field, set "mask: true".'],
  adding_up: [
    'Fields that might not be safe to sum',
    ' Set "aggregation" to "sum", "average", "latest" (for a level such as a balance) or "none".',
  ],
  code: ['Codes with unknown meanings', ' List the meanings: "values: [{value: A, synonyms: [active]}]".'],
  text: [
    'Text columns that look like dates or numbers',
    ` For files, add a select to the connection: "select * replace (strptime(day, '%d/%m/%Y')::date as day) from source", or '%m/%d/%Y' where the month comes first.`,
  ],
};
/** Topics without messages take one line each. Decisions of the draft are facts, not findings. */
export function writeReviewNotes(items: readonly DraftFinding[], omittedColumns: readonly string[]): string[] {
  const lines = (Object.keys(FINDING_TOPICS) as DraftFinding['topic'][]).flatMap((topic) => {
    const topicFindings = items.filter((item) => item.topic === topic);
    const [heading, advice] = FINDING_TOPICS[topic];
    if (topicFindings.length === 0) return [];
    return topicFindings.every(({ message }) => message === '')
      ? [`${heading}: ${topicFindings.map(({ about }) => about).join(', ')}.${advice}`]
      : [`${heading}.${advice}`, ...topicFindings.map(({ about, message }) => `- ${about} ${message}`)];
  });
  const allLines = [...lines, ...(omittedColumns.length > 0 ? [`Left out: ${omittedColumns.join(', ')}.`] : [])];
  return allLines.length > 0 ? ['Review before people rely on this lens:', ...allLines] : [];
}
