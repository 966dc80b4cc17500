// Finds the values of one ask in the dictionary, among recent lookups, or with one query for each column.
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { GrantedLens } from '../outcome.ts';
import type { ValueMention } from './values/named-values.ts';
import { type ProbeLimits, probeValues, recentSpellings, type ValueLookup } from './values/probe-values.ts';
import { valuesNamed } from './values/value-spellings.ts';

const CONCURRENCY = 3; // a warehouse has few sessions

export class ValueLookups {
  readonly #granted: GrantedLens;
  readonly #limits: ProbeLimits;
  readonly #found = new Map<string, ValueLookup>();

  constructor(grantedLens: GrantedLens, limits: ProbeLimits) {
    this.#granted = grantedLens;
    this.#limits = limits;
  }

  resultOf({ term }: ValueMention, requestedValue: string): ValueLookup | undefined {
    return this.#found.get(JSON.stringify([term, requestedValue]));
  }

  async lookUp(lookups: [ValueMention, string[]][]): Promise<void> {
    const pendingColumns = new Map<string, { naming: ValueMention; requestedValues: Set<string> }>();
    for (const [naming, values] of lookups)
      for (const requestedValue of values) {
        if (this.resultOf(naming, requestedValue)) continue;
        const { dictionary } = naming.field;
        const dictionaryValues = dictionary ? valuesNamed(dictionary, requestedValue) : [];
        const knownValues =
          dictionaryValues.length > 0 ? dictionaryValues : recentSpellings(this.#granted, naming, requestedValue);
        if (knownValues)
          this.#found.set(JSON.stringify([naming.term, requestedValue]), {
            is: 'stored',
            values: knownValues,
            live: false,
          });
        else {
          const column = pendingColumns.get(naming.term) ?? { naming, requestedValues: new Set() };
          pendingColumns.set(naming.term, { ...column, requestedValues: column.requestedValues.add(requestedValue) });
        }
      }
    await mapInParallel([...pendingColumns.values()], CONCURRENCY, async ({ naming, requestedValues }) => {
      for (const [value, result] of await probeValues(this.#granted, naming, [...requestedValues], this.#limits)) {
        this.#found.set(JSON.stringify([naming.term, value]), result);
        if (result.is === 'stored' && naming.field.dictionary?.complete) this.#limits.lagging?.(this.#granted);
      }
    });
  }
}
