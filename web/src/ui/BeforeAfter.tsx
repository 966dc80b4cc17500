// A value before and after a change, in words.
export const BeforeAfter = ({ label, before, after }: { label: string; before: unknown; after: unknown }) => (
  <>
    <dt>{label} before</dt>
    <dd>{inWords(before)}</dd>
    <dt>after</dt>
    <dd>{inWords(after)}</dd>
  </>
);

interface Ended {
  status?: unknown;
  answer?: unknown;
}

function inWords(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.map(inWords).join(', ') || 'none';
  const { answer, status } = value as Ended;
  if (typeof answer === 'string') return answer;
  if (typeof status === 'string' && Object.keys(value).length <= 2) return status;
  return JSON.stringify(value);
}
