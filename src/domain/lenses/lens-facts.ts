// Orders the facts of a lens by the number of answers that depend on each fact.
import { setImmediate as pause } from 'node:timers/promises';
import { createFactId } from '../../lens/model/facts.ts';
import { type Lens, type LensFact, SVC_CALLER } from '../../lens/model/lens.ts';
import { mentionsDate } from '../../lens/model/mentions-date.ts';
import { findUsedFacts } from '../../plan/facts-used.ts';
import { compilePlan } from '../../plan/sql/compile-plan.ts';
import { memoizeAsync } from '../../platform/memoize.ts';
import { Problem } from '../../platform/problem.ts';
import { type Tenancy, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import type { LiveLens } from './lens-repository.ts';
import { readWithoutFillerWords } from './read-without-filler-words.ts';

export interface ListedFact extends LensFact {
  id: string;
  /** The number of recent answers and sample questions that depend on the fact. */
  depends: number;
}
const COUNTED_WEEKS = 4;
const MAX_COUNTED_TRACES = 10_000;

export async function listFacts(
  deps: { tenancy: Tenancy },
  orgId: string,
  { name, lens }: LiveLens,
  now: Date,
): Promise<ListedFact[]> {
  const facts = lens.facts ?? [];
  if (facts.length === 0) return [];
  const answers = await countUsesInAnswers(deps, orgId, name, now);
  const samples = await memoizeSampleUses(lens, '', () => countUsesInSampleQuestions(lens, now));
  return facts
    .map((fact) => {
      const id = createFactId(lens, fact);
      return { ...fact, id, depends: (answers.get(id) ?? 0) + (samples.get(id) ?? 0) };
    })
    .sort(
      (a, b) =>
        Number(a.origin !== 'inferred') - Number(b.origin !== 'inferred') ||
        b.depends - a.depends ||
        (a.id < b.id ? -1 : 1),
    );
}

const countUsesInAnswers = withOwnTransaction(async (db, lens: string, now: Date) => {
  const since = new Date(now.getTime() - COUNTED_WEEKS * 7 * 86_400_000);
  const rows = await db.rows<{ id: string; answers: number }>(
    `with recent as materialized (select envelope -> 'checks' as checks from svc.traces
       where org_id = $1 and lens = $2 and at > $3 order by at desc limit ${MAX_COUNTED_TRACES})
     select f as id, count(*)::int as answers from recent, jsonb_array_elements(checks) c, jsonb_array_elements_text(c -> 'facts') f
     where c ->> 'name' = 'facts_confirmed' group by f`,
    [db.orgId, lens, since],
  );
  return new Map(rows.map(({ id, answers }) => [id, answers]));
});

const memoizeSampleUses = memoizeAsync<Lens, Map<string, number>>(1);

async function countUsesInSampleQuestions(lens: Lens, now: Date): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const question of lens.sampleQuestions) {
    await pause(); // lets other asks run between two questions
    for (const fact of await findNeededFacts(lens, question, now)) {
      const id = createFactId(lens, fact);
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
  }
  return counts;
}

async function findNeededFacts(lens: Lens, question: string, now: Date): Promise<LensFact[]> {
  const reading = readWithoutFillerWords({ question, lens, choices: {}, now });
  if (reading.kind !== 'plan') return [];
  try {
    const compiledQuery = await compilePlan(lens, reading.plan, SVC_CALLER, { maxRows: 1 });
    return findUsedFacts(lens, reading.plan, compiledQuery, (date) => mentionsDate(question, date));
  } catch (fault) {
    if (fault instanceof Problem) return [];
    throw fault;
  }
}
