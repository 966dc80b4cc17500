// Converts the parser's tree to svc's tree. Refuses unknown node kinds and fields. prove.ts detects SQL that the parser
// misread. svc's tree has no node for parentheses, so the reader records them separately.
import { asNode, isNode } from '../ast.ts';
import type { Faults } from '../faults.ts';
import { EMPTY_TAIL, nullLiteral } from '../make-nodes.ts';
import type { Expression, Query, SortKey } from '../tree.ts';
import { Fields } from './fields.ts';
import type { ForeignGrammar } from './grammar.ts';

const MAX_DEPTH = 200;

/**
 * For each node, the number of pairs of parentheses around it in the source, without parentheses that belong to the
 * node's own syntax.
 */
export type BracketCounts = Map<object, number>;

export const NULL_EXPRESSION: Expression = nullLiteral();

/** The grammar, faults, parentheses and callbacks that the reader's modules share. */
export class Reading {
  readonly brackets: BracketCounts = new Map();
  readonly grammar: ForeignGrammar;
  readonly faults: Faults;
  readonly readExpression: (node: unknown) => Expression;
  readonly readQuery: (node: unknown) => Query;
  #depth = 0;

  constructor(
    grammar: ForeignGrammar,
    faults: Faults,
    readers: {
      expression: (reading: Reading, node: unknown) => Expression;
      query: (reading: Reading, node: unknown) => Query;
    },
  ) {
    this.grammar = grammar;
    this.faults = faults;
    this.readExpression = (node) => this.#readNested(() => readers.expression(this, node), NULL_EXPRESSION);
    this.readQuery = (node) => this.#readNested(() => readers.query(this, node), NO_QUERY);
  }

  #readNested<T>(read: () => T, fallback: T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.faults.add('too_deep', 'The statement nests too deeply.');
      return fallback;
    }
    this.#depth++;
    const result = read();
    this.#depth--;
    return result;
  }

  refuseConstruct(construct: string): void {
    this.faults.add('construct', `${construct} is not allowed here.`);
  }

  readExpressions(nodes: unknown[]): Expression[] {
    return nodes.map((node) => this.readExpression(node));
  }

  readOptional(node: unknown): Expression | null {
    return node === undefined || node === null ? null : this.readExpression(node);
  }

  markBracketed<T extends object>(node: T): T {
    this.brackets.set(node, (this.brackets.get(node) ?? 0) + 1);
    return node;
  }

  readName(identifier: unknown): string {
    const fields = new Fields(identifier);
    const name = fields.text('name');
    fields.reportRemaining('A name', this.faults);
    if (name === '') this.refuseConstruct('An empty name');
    return name;
  }

  readSortKeys(nodes: unknown[]): SortKey[] {
    return nodes.map((node) => {
      const fields = new Fields(node);
      const nullsFirst = this.grammar.nullsOrder ? asNode(node)['nulls_first'] : null;
      if (this.grammar.nullsOrder) fields.take('nulls_first');
      const key: SortKey = {
        value: this.readExpression(fields.take('this')),
        direction: fields.flag('desc') ? 'desc' : null,
        nulls: nullsFirst === true ? 'first' : nullsFirst === false ? 'last' : null,
      };
      fields.reportRemaining('ORDER BY', this.faults);
      return key;
    });
  }
}

const NO_QUERY: Query = { kind: 'values', rows: [], ...EMPTY_TAIL };

export const readAlias = (reading: Reading, alias: unknown): string | null =>
  isNode(alias) ? reading.readName(alias) : null;
