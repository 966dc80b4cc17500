// Superlatives over rows that are not the ones listed or counted: "the employee with the highest bonus" ranks each by the
// highest of theirs; "concerts in the stadium with the largest capacity" restricts to the rows of that stadium.
import type { Aggregate, Condition, Filter, Intent } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { type FieldSlot, isMeasure, isSlot, type RankDraft } from '../grammar/draft.ts';
import { fieldAbout } from '../grammar/measures.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';
import { isNumeric, isTemporal } from '../words/datatypes.ts';
import { flatRefs } from './settle-reading.ts';

export const highestOfTheirs = (
  c: Cursor,
  intent: Intent,
  rank: RankDraft,
  by: FieldSlot,
  home: string,
): Aggregate | null => {
  const { graph } = c.vocabulary;
  if (by.candidates.some((one) => graph.paths(home, one.dataset).length > 0)) return null;
  const [only, more] = by.candidates.filter(
    (one) => one.fields.length === 1 && graph.paths(one.dataset, home).length === 1,
  );
  if (!only || more) return null;
  const field = only.fields[0]!;
  // Of those that a condition leaves, or of all of theirs?
  if (intent.time || c.draft.times.length > 0 || intent.filters.some((one) => picks(one, only.dataset)))
    refuse(rank.text);
  return { kind: 'aggregate', fn: rank.direction === 'desc' ? 'max' : 'min', path: only.dataset, field: field.name };
};

/** It says more of related rows than that there is one, which the one that ranks highest is. */
const picks = (filter: Filter, dataset: string): boolean =>
  filter.kind === 'exists' &&
  (filter.path !== dataset || filter.negated || filter.count !== undefined || filter.where.length > 0);

/** The rows of the one thing that ranks highest; of all that tie. Null where the superlative ranks the answer's own rows. */
export const ofHighest = (c: Cursor, intent: Intent, rank: RankDraft, home: string): Condition | null => {
  const { graph } = c.vocabulary;
  const { by, direction, of, text } = rank;
  if (rank.limit !== 1 || rank.offset || rank.perGroup || c.draft.groups.length > 0 || intent.dimensions.length > 0)
    return null;
  if (!by || isMeasure(by)) return null;
  const named = of && !isSlot(of) ? of.dataset : null;
  const things = named ? [named] : c.draft.entities.filter(({ at }) => at < rank.at).map(({ dataset }) => dataset);
  const theirs = isSlot(by)
    ? by.candidates.filter(
        (one) =>
          things.includes(one.dataset) &&
          one.fields.length === 1 &&
          (isNumeric(one.fields[0]!.datatype) || isTemporal(one.fields[0]!.datatype)),
      )
    : [];
  const dataset = isSlot(by) ? theirs[0]?.dataset : named;
  if (!dataset || theirs.length > 1 || dataset === home) return null;
  const paths = pathsFrom(c, home, dataset);
  if (paths.length !== 1) return null;
  const field = isSlot(by) ? theirs[0]!.fields[0]! : fieldAbout(c, dataset, by.about, text);
  const flip = !isSlot(by) && by.about === 'birth' && isNumeric(field.datatype);
  // "the largest stadium in Spain": of all stadiums, or of those?
  // That there is one at all is no restriction.
  const filters = intent.filters.filter((one) => !(one.kind === 'condition' && one.op === 'is_not_null'));
  const restricted = [...flatRefs(filters), ...(intent.time ? [intent.time.field] : [])].some(({ path }) => {
    const about = graph.datasetOf(path) ?? path;
    return about !== home && (about === dataset || graph.paths(dataset, about).length > 0);
  });
  if (restricted) return refuse(text);
  const fn = (direction === 'desc') !== flip ? 'max' : 'min';
  return {
    kind: 'condition',
    field: { path: paths[0]!, field: field.name },
    op: '=',
    values: [],
    than: { kind: 'aggregate', fn, path: dataset, field: field.name },
  };
};
