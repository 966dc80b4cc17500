// Warns about a list of amounts without labels. For example, "mrr of active subscriptions" more likely asks for the
// total.
import { findDatasetOfPath } from '../../../lens/model/join-paths.ts';
import { findField } from '../../../lens/model/lens.ts';
import { determineSummability } from '../../../reader/words/summability.ts';
import type { FetchedRows } from '../../outcome.ts';

export function findBareAmountsWarning({ plan, rows }: Pick<FetchedRows, 'plan' | 'rows'>): string | null {
  if (plan.plan !== 'compiled' || plan.readingOrigin.by === 'caller' || rows.length < 2) return null;
  const { lens } = plan.grantedLens;
  const { measures, dimensions, distinct, grouped, limit } = plan.lensPlan;
  if (measures.length > 0 || distinct || grouped || limit !== null) return null;
  const amounts = dimensions.every(({ path, field: name, grain, bin, when }) => {
    const dataset = findDatasetOfPath(lens, path);
    const field = dataset && findField(dataset, name);
    return field && !grain && !bin && !when && determineSummability(lens, dataset.name, field) === 'yes';
  });
  if (!amounts) return null;
  const fieldNames = dimensions.map(({ field }) => field.replaceAll('_', ' ')).join(', ');
  return `Each ${fieldNames} is listed separately, but the question may ask for the total. Ask for the total, or name another column to list.`;
}
