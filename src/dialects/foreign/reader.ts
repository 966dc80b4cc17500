// Converts the parser's tree to svc's tree. Unknown node kinds and fields are faults; prove.ts finds nodes that the
// parser read wrongly. The tree has no node for parentheses, so the reader records them separately.
import { asNode, isNode } from '../ast.ts';
import type { Faults } from '../faults.ts';
import { EMPTY_TAIL, nullLiteral } from '../make-nodes.ts';
import type { Expression, Query, SortKey } from '../tree.ts';
import { Fields } from './fields.ts';
import type { ForeignGrammar } from './grammar.ts';

const MAX_DEPTH = 200;

/** For each node, the number of parentheses around it in the source, without those of its own syntax. */
export type Brackets = Map<object, number>;

export const NULL_EXPRESSION: Expression = nullLiteral();

/** The state and the callbacks that all parts of the reader share. */
export class Reading {
  readonly brackets: Brackets = new Map();
  readonly grammar: ForeignGrammar;
  readonly faults: Faults;
  readonly expression: (node: unknown) => Expression;
  readonly query: (node: unknown) => Query;
  #depth = 0;

  constructor(
    grammar: ForeignGrammar,
    faults: Faults,
    on: {
      expression: (reading: Reading, node: unknown) => Expression;
      query: (reading: Reading, node: unknown) => Query;
    },
  ) {
    this.grammar = grammar;
    this.faults = faults;
    this.expression = (node) => this.#deeper(() => on.expression(this, node), NULL_EXPRESSION);
    this.query = (node) => this.#deeper(() => on.query(this, node), NO_QUERY);
  }

  #deeper<T>(read: () => T, otherwise: T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.faults.add('too_deep', 'The statement nests too deeply.');
      return otherwise;
    }
    this.#depth++;
    const found = read();
    this.#depth--;
    return found;
  }

  construct(what: string): void {
    this.faults.add('construct', `${what} is not allowed here.`);
  }

  expressions(nodes: unknown[]): Expression[] {
    return nodes.map((node) => this.expression(node));
  }

  optional(node: unknown): Expression | null {
    return node === undefined || node === null ? null : this.expression(node);
  }

  bracketed<T extends object>(node: T): T {
    this.brackets.set(node, (this.brackets.get(node) ?? 0) + 1);
    return node;
  }

  name(identifier: unknown): string {
    const fields = new Fields(identifier);
    const name = fields.text('name');
    fields.end('A name', this.faults);
    if (name === '') this.construct('An empty name');
    return name;
  }

  sortKeys(nodes: unknown[]): SortKey[] {
    return nodes.map((node) => {
      const fields = new Fields(node);
      const first = this.grammar.nullsOrder ? asNode(node)['nulls_first'] : null;
      if (this.grammar.nullsOrder) fields.take('nulls_first');
      const key: SortKey = {
        value: this.expression(fields.take('this')),
        direction: fields.flag('desc') ? 'desc' : null,
        nulls: first === true ? 'first' : first === false ? 'last' : null,
      };
      fields.end('ORDER BY', this.faults);
      return key;
    });
  }
}

const NO_QUERY: Query = { kind: 'values', rows: [], ...EMPTY_TAIL };

export const aliasIn = (reading: Reading, alias: unknown): string | null =>
  isNode(alias) ? reading.name(alias) : null;
