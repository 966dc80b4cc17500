// An allow-list of functions by kind. A function in no group can't be called.
/** `grammar`: looks like a call but belongs to the grammar. `bare`: a call without parentheses. */
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
