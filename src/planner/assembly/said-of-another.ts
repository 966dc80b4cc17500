// "Authors who have written publications in the domain X": the domain of the publications, which stand nearest, or of the
// authors? Where the rows that were taken know nothing of the nearest thing, and it has a way of its own to what the
// condition is about, the reading is in doubt.
import type { Exists, Filter } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';

export function saidOfAnother(c: Cursor, filters: readonly Filter[]): string | null {
  const { graph } = c.vocabulary;
  const knows = (rows: string, thing: string) => rows === thing || graph.paths(rows, thing).length > 0;
  for (const { at, text, options } of c.draft.conditions)
    for (const about of new Set(options.map(({ dataset }) => dataset))) {
      const nearest = c.draft.entities.filter((one) => one.at < at && one.dataset !== about).at(-1);
      if (!nearest) continue;
      const taken = filters.flatMap(semijoins).find((one) => asksOf(c, one, about));
      if (!taken || knows(taken.path, nearest.dataset)) continue;
      const linked = graph.links(nearest.dataset, about).length > 0 || knows(nearest.dataset, about);
      if (linked)
        return `"${text}" was taken for the ${about.replaceAll('_', ' ')} that ${taken.path.replaceAll('_', ' ')} leads to, not for that of ${nearest.text}.`;
    }
  return null;
}

const asksOf = (c: Cursor, { where }: Exists, dataset: string): boolean =>
  where.some((one) => one.kind === 'condition' && c.vocabulary.graph.datasetOf(one.field.path) === dataset);

const semijoins = (one: Filter): Exists[] =>
  one.kind === 'exists'
    ? [one, ...one.where.flatMap(semijoins)]
    : one.kind === 'any' || one.kind === 'all'
      ? one.of.flatMap(semijoins)
      : one.kind === 'not'
        ? semijoins(one.of)
        : [];
