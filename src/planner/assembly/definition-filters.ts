// Governed filters as conditions.
import type { Condition, Filter } from '../../lens/model/intent.ts';
import { COMPARISON, dayWritten, MISSING, partsOf } from '../../lens/model/plain-filter.ts';
import type { Cursor } from '../grammar/cursor.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';
import { NEGATED } from './bind-conditions.ts';

/** Definitions whose filter is a chain of plain comparisons become conditions. */
export const definitionFilters = (c: Cursor, home: string): Filter[] =>
  c.draft.definitions.flatMap(({ definition, text, negated }) => {
    if (!definition.filter) return [];
    const parts = partsOf(definition.filter);
    if (negated && parts.length > 1) return refuse(text);
    return parts.map((part): Filter => {
      const absent = MISSING.exec(part);
      const match = absent ?? COMPARISON.exec(part);
      if (!match)
        return refuse(
          text,
          `The filter of "${definition.term}" can only be used through metrics. Ask for a metric that has it, or say the condition itself.`,
        );
      const [, dataset, field, op, written] = match;
      const paths = c.vocabulary.graph.datasetOf(dataset!)
        ? pathsFrom(
            c,
            home,
            c.vocabulary.graph.datasetOf(dataset!)!,
            dataset === c.vocabulary.graph.datasetOf(dataset!) ? undefined : dataset,
          )
        : [];
      if (paths.length !== 1) return refuse(text);
      if (absent) {
        const empty = (absent[3] === undefined) !== negated;
        const ref = { path: paths[0]!, field: field! };
        return { kind: 'condition', field: ref, op: empty ? 'is_null' : 'is_not_null', values: [] };
      }
      const day = dayWritten(written!, c.today);
      const value = day
        ? day
        : written!.startsWith("'")
          ? written!.slice(1, -1).replaceAll("''", "'")
          : /^(?:true|false)$/i.test(written!)
            ? written!.toLowerCase() === 'true'
            : Number(written);
      const plain = op === '<>' ? '!=' : (op as Condition['op']);
      const applied = negated ? (NEGATED[plain] ?? refuse(text)) : plain;
      return {
        kind: 'condition',
        field: { path: paths[0]!, field: field! },
        op: applied,
        values: [value],
        ...(negated && applied === '!=' ? { orNull: true as const } : {}),
      };
    });
  });
