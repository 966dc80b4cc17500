// Converts the parser's tree to svc's tree. Refuses unknown node kinds and fields. prove.ts detects SQL that the parser
// misread. svc's tree has no node for parentheses, so the reader records them separately.
import { isAstNode, toAstNode } from '../ast.ts';
import type { FaultCollector } from '../fault-collector.ts';
import { EMPTY_TAIL, nullLiteral } from '../make-nodes.ts';
import type { Expression, Query, SortKey } from '../tree.ts';
import { NodeFields } from './fields.ts';
import type { ForeignGrammar } from './grammar.ts';

const MAX_DEPTH = 200;

/**
 * For each node, the number of pairs of parentheses around it in the source. Doesn't count parentheses that belong to
 * the node's own syntax.
 */
export type BracketCounts = Map<object, number>;

export const NULL_EXPRESSION: Expression = nullLiteral();

/** The grammar, errors, parentheses and callbacks that the reader's modules share. */
export class TreeReader {
  readonly brackets: BracketCounts = new Map();
  readonly grammar: ForeignGrammar;
  readonly faults: FaultCollector;
  readonly readExpression: (node: unknown) => Expression;
  readonly readQuery: (node: unknown) => Query;
  #depth = 0;

  constructor(
    grammar: ForeignGrammar,
    faults: FaultCollector,
    readers: {
      expression: (reader: TreeReader, node: unknown) => Expression;
      query: (reader: TreeReader, node: unknown) => Query;
    },
  ) {
    this.grammar = grammar;
    this.faults = faults;
    this.readExpression = (node) => this.#readNested(() => readers.expression(this, node), NULL_EXPRESSION);
    this.readQuery = (node) => this.#readNested(() => readers.query(this, node), EMPTY_QUERY);
  }

  #readNested<T>(read: () => T, fallback: T): T {
    if (this.#depth >= MAX_DEPTH) {
      this.faults.add('too_deep', 'The statement is nested too deeply.');
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

  readOptionalExpression(node: unknown): Expression | null {
    return node === undefined || node === null ? null : this.readExpression(node);
  }

  markBracketed<T extends object>(node: T): T {
    this.brackets.set(node, (this.brackets.get(node) ?? 0) + 1);
    return node;
  }

  /** Reads a node. Reports an error for each field of the node that `read` doesn't take. */
  readFields<T>(node: unknown, construct: string, read: (fields: NodeFields) => T): T {
    const fields = new NodeFields(node);
    const value = read(fields);
    fields.reportRemaining(construct, this.faults);
    return value;
  }

  readName(identifier: unknown): string {
    const name = this.readFields(identifier, 'A name', (fields) => fields.takeText('name'));
    if (name === '') this.refuseConstruct('An empty name');
    return name;
  }

  readSortKeys(nodes: unknown[]): SortKey[] {
    return nodes.map((node) =>
      this.readFields(node, 'ORDER BY', (fields) => {
        const nullsFirst = this.grammar.nullsOrder ? toAstNode(node)['nulls_first'] : null;
        if (this.grammar.nullsOrder) fields.take('nulls_first');
        return {
          value: this.readExpression(fields.take('this')),
          direction: fields.takeFlag('desc') ? 'desc' : null,
          nulls: nullsFirst === true ? 'first' : nullsFirst === false ? 'last' : null,
        };
      }),
    );
  }
}

export const EMPTY_QUERY: Query = { kind: 'values', rows: [], ...EMPTY_TAIL };

export const readAlias = (reader: TreeReader, alias: unknown): string | null =>
  isAstNode(alias) ? reader.readName(alias) : null;
