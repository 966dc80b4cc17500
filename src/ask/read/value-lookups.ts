// Finds the values of one ask in the dictionary, among recent lookups, or with one query for each column.
import type { Condition } from '../../plan/lens-plan.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { GrantedLens } from '../outcome.ts';
import type { ValueMention } from './values/named-values.ts';
import {
  HIDDEN_BY_POLICY_LOOKUP,
  hidesRows,
  type ProbeLimits,
  probeValues,
  readColumn,
  recentSpellings,
  type ValueLookup,
} from './values/probe-values.ts';
import { valuesMatching } from './values/value-spellings.ts';

const MAX_CONCURRENT_READS = 3; // a warehouse has few sessions

export class ValueLookups {
  readonly #grantedLens: GrantedLens;
  readonly #limits: ProbeLimits;
  readonly #lookups = new Map<string, ValueLookup>();

  constructor(grantedLens: GrantedLens, limits: ProbeLimits) {
    this.#grantedLens = grantedLens;
    this.#limits = limits;
  }

  resultOf({ term }: ValueMention, requestedValue: string): ValueLookup | undefined {
    return this.#lookups.get(JSON.stringify([term, requestedValue]));
  }

  /** The result without values of hidden rows, which a lens file can list. */
  async visibleResultOf(mention: ValueMention, requestedValue: string): Promise<ValueLookup> {
    const result = this.resultOf(mention, requestedValue)!;
    if (result.is !== 'stored' || !hidesRows(this.#grantedLens, mention)) return result;
    const { field } = mention.condition;
    const filter: Condition = { field, op: 'in', values: result.values };
    const visible = await readColumn(this.#grantedLens, field, [filter], this.#limits);
    const values = result.values.filter((value) => visible.values.includes(value));
    return values.length > 0 ? { ...result, values } : HIDDEN_BY_POLICY_LOOKUP;
  }

  async lookUp(lookups: [ValueMention, string[]][]): Promise<void> {
    const pendingColumns = new Map<string, { mention: ValueMention; requestedValues: Set<string> }>();
    for (const [mention, values] of lookups)
      for (const requestedValue of values) {
        if (this.resultOf(mention, requestedValue)) continue;
        const { dictionary } = mention.field;
        const dictionaryValues = dictionary ? valuesMatching(dictionary, requestedValue) : [];
        const knownValues =
          dictionaryValues.length > 0 ? dictionaryValues : recentSpellings(this.#grantedLens, mention, requestedValue);
        if (knownValues)
          this.#lookups.set(JSON.stringify([mention.term, requestedValue]), {
            is: 'stored',
            values: knownValues,
            fromWarehouse: false,
          });
        else {
          const column = pendingColumns.get(mention.term) ?? { mention, requestedValues: new Set() };
          pendingColumns.set(mention.term, { ...column, requestedValues: column.requestedValues.add(requestedValue) });
        }
      }
    await mapInParallel([...pendingColumns.values()], MAX_CONCURRENT_READS, async ({ mention, requestedValues }) => {
      for (const [value, result] of await probeValues(this.#grantedLens, mention, [...requestedValues], this.#limits)) {
        this.#lookups.set(JSON.stringify([mention.term, value]), result);
        if (result.is === 'stored' && mention.field.dictionary?.complete) this.#limits.lagging?.(this.#grantedLens);
      }
    });
  }
}
