// A statement -> the plan that it equals. What the plan could be is guessed from the look of the statement; it is taken
// only where the plan, compiled, means the very same (read-meaning.ts).
import { dialectOf } from '../../../dialects/dialects.ts';
import type { Query } from '../../../dialects/tree.ts';
import type { Intent } from '../../../lens/intent.ts';
import type { Lens } from '../../../lens/lens.ts';
import { sameMeaning } from './meaning.ts';
import { namedOnce } from './named-once.ts';
import { PlanReader, unread } from './plan-reader.ts';
import { meaningOf } from './read-meaning.ts';
import { shownLens } from './shown-lens.ts';
import { atTime } from './today.ts';

export interface Lifted {
  intent: Intent;
  /** The column of the statement that each column of the plan is. */
  columns: number[];
  /** Datasets whose primary key was relied on. */
  keyed: string[];
}

/** Null where no plan is known that means the same: a plan can't say it, or this lens doesn't allow it. */
export const liftStatement = (lens: Lens, query: Query, now: Date): Promise<Lifted | null> =>
  lifted(lens, query, now).catch(unread);

async function lifted(lens: Lens, query: Query, now: Date): Promise<Lifted | null> {
  const dialect = dialectOf(lens.dialect);
  const reader = new PlanReader(lens, dialect, now);
  const seen = shownLens(lens);
  const meaning = meaningOf(seen, dialect, namedOnce(seen, dialect, atTime(lens, query, now)));
  const intent = await reader.intentOf(meaning);
  const compiled = await reader.meaningOfPlan(intent);
  const columns = compiled && sameMeaning(meaning, compiled);
  return columns && { intent, columns, keyed: [...meaning.known.keyed, ...compiled.known.keyed] };
}
