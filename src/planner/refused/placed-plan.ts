// What of a question could be placed, as a plan that compiles: names, values and periods, each kept where it goes with the
// ones before it.
import { checkIntent } from '../../lens/compile-intent.ts';
import type { Intent } from '../../lens/intent.ts';
import { intentFromMetricsBody } from '../../lens/intent-from-metrics.ts';
import { intentSentence } from '../../lens/intent-sentence.ts';
import type { Asker, Lens } from '../../lens/lens.ts';
import { Problem } from '../../platform/problem.ts';
import { isNumeric, isTemporal } from '../grammar/read-things.ts';
import { SUPERLATIVES } from '../words/lexicon.ts';
import type { Term } from '../words/vocabulary.ts';
import type { Sight, Sighted } from './sight.ts';

/** As much of a plan as words alone fill. */
export interface PlacedPlan {
  metrics?: string[];
  dimensions?: string[];
  distinct?: boolean;
  filters?: { field: string; op: '='; values: string[] }[];
  time?: { from: string; to: string };
  order_by?: { field: string; direction: 'asc' | 'desc' }[];
  limit?: number;
}
export interface Placed {
  plan: PlacedPlan;
  sentence: string;
}

const ANYONE: Asker = { name: '', groups: [], attributes: {}, superuser: true };
const GROUPING = /^(?:by|per|each|every|and|across|for)$/;

export const placedPlan = (lens: Lens, { vocabulary, seen, now }: Sight): Placed | null => {
  let made: { plan: PlacedPlan; intent: Intent } | null = null;
  /** Takes it up where the plan still compiles. */
  const add = (more: (plan: PlacedPlan) => PlacedPlan): boolean => {
    const plan = more(made?.plan ?? {});
    const intent = compiled(lens, plan, now);
    if (intent) made = { plan, intent };
    return intent !== null;
  };
  for (const metric of metricsOf(seen))
    add((plan) => ({ ...plan, metrics: [...new Set([...(plan.metrics ?? []), metric])] }));
  const measured = (made as { plan: PlacedPlan } | null)?.plan.metrics ?? [];
  for (const [at, one] of seen.entries()) {
    const behind = seen.slice(0, at).findLast((before) => before.is !== 'unknown');
    const grouped = behind?.is === 'grammar' && GROUPING.test(behind.norm);
    if (one.is === 'name') {
      if (one.terms.some(({ kind }) => kind === 'metric')) continue;
      const written = fieldsOf(one.terms, vocabulary.lens);
      written.some((dimension) =>
        add((plan) => ({
          ...plan,
          ...(measured.length === 0 ? { distinct: true } : {}),
          dimensions: [...new Set([...(plan.dimensions ?? []), dimension])],
        })),
      );
    } else if (one.is === 'grain' && grouped && measured.length > 0)
      datesOf(lens, measured).some((date) =>
        add((plan) => ({ ...plan, dimensions: [...new Set([...(plan.dimensions ?? []), `${date}.${one.grain}`])] })),
      );
  }
  if (made === null) return null;
  for (const one of seen) {
    if (one.is === 'value') {
      const held = new Map(one.entries.map(({ dataset, field, value }) => [`${dataset}.${field.name}`, value]));
      const [only, more] = [...held];
      if (only && !more)
        add((plan) => ({
          ...plan,
          filters: [...(plan.filters ?? []), { field: only[0], op: '=', values: [only[1]] }],
        }));
    } else if (one.is === 'time' && one.mention.from && one.mention.to) {
      const { from, to } = one.mention;
      add((plan) => (plan.time ? plan : { ...plan, time: { from, to } }));
    }
  }
  addRank(seen, measured, add);
  const { plan, intent } = made as { plan: PlacedPlan; intent: Intent };
  return { plan, sentence: intentSentence(lens, intent) };
};

/** "top 5", "highest": of the groups that were placed. */
const addRank = (
  seen: readonly Sighted[],
  [metric]: readonly string[],
  add: (more: (plan: PlacedPlan) => PlacedPlan) => boolean,
): void => {
  const at = seen.findIndex((one) => one.is === 'grammar' && SUPERLATIVES.has(one.norm));
  const word = seen[at];
  if (!metric || word?.is !== 'grammar') return;
  const next = seen[at + 1];
  const { direction } = SUPERLATIVES.get(word.norm)!;
  add((plan) =>
    plan.dimensions?.length && !plan.dimensions.some((name) => /\.(?:day|week|month|quarter|year)$/.test(name))
      ? {
          ...plan,
          order_by: [{ field: metric, direction }],
          ...(next?.is === 'number' && next.value >= 1 && next.value <= 1000 ? { limit: next.value } : {}),
        }
      : plan,
  );
};

/** Null where the compiler refuses it. */
export const compiled = (lens: Lens, plan: Parameters<typeof intentFromMetricsBody>[1], now: Date): Intent | null => {
  try {
    const intent = intentFromMetricsBody(lens, plan, now);
    checkIntent(lens, intent, ANYONE);
    return intent;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
};

const metricsOf = (seen: readonly Sighted[]): string[] =>
  seen.flatMap((one) =>
    one.is === 'name'
      ? one.terms.flatMap((term) => (term.kind === 'metric' ? [term.metric.name] : [])).slice(0, 1)
      : [],
  );

/** As a plan writes the field: the tightest first, numbers and dates left out, which group nothing by themselves. */
const fieldsOf = (terms: readonly Term[], lens: Lens): string[] =>
  terms
    .flatMap((term) => (term.kind === 'field' ? [term] : []))
    .filter(({ field, dataset }) => {
      const key = lens.datasets.find(({ name }) => name === dataset)?.primaryKey.includes(field.name);
      return !field.masked && !isTemporal(field.datatype) && (key || !isNumeric(field.datatype));
    })
    .sort((one, other) => one.loose - other.loose)
    .map(({ field, dataset, role }) => `${role ?? dataset}.${field.name}`);

const datesOf = (lens: Lens, metrics: readonly string[]): string[] => [
  ...new Set(
    lens.metrics.flatMap(({ name, home, timeField, references }): string[] => {
      if (!metrics.includes(name)) return [];
      if (!home && references.metrics.length > 0) return datesOf(lens, references.metrics);
      const usual = lens.datasets.find((dataset) => dataset.name === home)?.timeField;
      return timeField ? [`${timeField.dataset}.${timeField.field}`] : usual ? [`${home}.${usual}`] : [];
    }),
  ),
];
