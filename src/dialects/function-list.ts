// The functions that SQL can call, by kind. svc refuses every other function.
/** `grammar`: syntax that looks like a call. `bare`: a call without parentheses. */
export type FunctionKind = 'aggregate' | 'window' | 'scalar' | 'table' | 'grammar' | 'bare';

export class FunctionList {
  readonly #kinds = new Map<string, FunctionKind>();

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
