// A curated list of functions by what they do. Deny by default: what is in no group can't be called.
/** grammar: written like a call, known to the grammar itself; bare: a call without brackets. */
export type FunctionKind = 'aggregate' | 'window' | 'scalar' | 'table' | 'grammar' | 'bare';

export class FunctionList {
  readonly #kinds = new Map<string, FunctionKind>();

  /** Names are separated by white space. */
  constructor(groups: readonly (readonly [FunctionKind, string])[]) {
    for (const [kind, names] of groups) {
      for (const name of names.trim().split(/\s+/)) this.#kinds.set(name, kind);
    }
  }

  has(name: string): boolean {
    return this.#kinds.has(name);
  }
  kind(name: string): FunctionKind | undefined {
    return this.#kinds.get(name);
  }
  names(): IterableIterator<string> {
    return this.#kinds.keys();
  }
}
