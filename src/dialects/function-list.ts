// The functions that SQL can call, by kind. svc refuses every other function.

/**
 * Limits on the arguments of a call. `length`: a constant length. `format`: a constant format without large widths.
 * `series`: constant bounds and a constant step. `exponent`: a limited exponent. `arguments`: an exact number of
 * arguments. `span`: a duration in this unit, which must be constant if it is the step of a series.
 */
export type CallBound =
  | { kind: 'length'; argument: number }
  | { kind: 'format' }
  | { kind: 'series' }
  | { kind: 'exponent' }
  | { kind: 'arguments'; count: number }
  | { kind: 'span'; unit: string };

/**
 * Creates limits for functions that take the length of their result as an argument, given the position of that
 * argument.
 */
export const createLengthBounds = (lengths: Readonly<Record<string, number>>): [string, CallBound][] =>
  Object.entries(lengths).map(([name, argument]) => [name, { kind: 'length', argument }]);
export const EXPONENT_BOUNDS: readonly [string, CallBound][] = [
  ['power', { kind: 'exponent' }],
  ['pow', { kind: 'exponent' }],
];

/** `grammar` means syntax that looks like a call. `bare` means a call without parentheses. */
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
