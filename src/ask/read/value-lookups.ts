// Finds the values of one ask in the dictionary, among recent lookups, or with one query for each column.
import { inParallel } from '../../platform/schedule/in-parallel.ts';
import type { GrantedLens } from '../outcome.ts';
import type { ValueMention } from './values/named-values.ts';
import { type Found, type ProbeLimits, probeValues, recentlyFound } from './values/probe-values.ts';
import { valuesNamed } from './values/value-spellings.ts';

const CONCURRENCY = 3; // a warehouse has few sessions

export class ValueLookups {
  readonly #granted: GrantedLens;
  readonly #limits: ProbeLimits;
  readonly #found = new Map<string, Found>();

  constructor(granted: GrantedLens, limits: ProbeLimits) {
    this.#granted = granted;
    this.#limits = limits;
  }

  of({ term }: ValueMention, requestedValue: string): Found | undefined {
    return this.#found.get(JSON.stringify([term, requestedValue]));
  }

  async look(lookups: [ValueMention, string[]][]): Promise<void> {
    const open = new Map<string, { naming: ValueMention; wanted: Set<string> }>();
    for (const [naming, values] of lookups)
      for (const requestedValue of values) {
        if (this.of(naming, requestedValue)) continue;
        const { dictionary } = naming.field;
        const dictionaryValues = dictionary ? valuesNamed(dictionary, requestedValue) : [];
        const stored =
          dictionaryValues.length > 0 ? dictionaryValues : recentlyFound(this.#granted, naming, requestedValue);
        if (stored)
          this.#found.set(JSON.stringify([naming.term, requestedValue]), { is: 'stored', values: stored, live: false });
        else {
          const column = open.get(naming.term) ?? { naming, wanted: new Set() };
          open.set(naming.term, { ...column, wanted: column.wanted.add(requestedValue) });
        }
      }
    await inParallel([...open.values()], CONCURRENCY, async ({ naming, wanted }) => {
      for (const [value, one] of await probeValues(this.#granted, naming, [...wanted], this.#limits)) {
        this.#found.set(JSON.stringify([naming.term, value]), one);
        if (one.is === 'stored' && naming.field.dictionary?.complete) this.#limits.lagging?.(this.#granted);
      }
    });
  }
}
