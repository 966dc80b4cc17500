// The SQL written so far, and the callbacks that the writer's modules share.
import { UnwritableError } from '../dialect.ts';
import type { CommonTable, Expression, Node, Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import type { BracketCounts } from './tree-reader.ts';

export type NodeWithPosition = Node | CommonTable;

export class SqlWriter {
  text = '';
  readonly starts: [NodeWithPosition, number][] = [];
  /** The offset where the last scalar subquery ends. */
  scalarSubqueryEnd = -1;
  readonly grammar: ForeignGrammar;
  /**
   * The parentheses of the source, which the writer repeats. If null, the writer adds every pair that prevents
   * ambiguity.
   */
  readonly sourceBrackets: BracketCounts | null;
  /** `parenthesize` is true if the SQL would have another meaning without parentheses. */
  readonly putQuery: (query: Query, parenthesize?: boolean) => void;
  readonly putExpression: (expression: Expression, parenthesize?: boolean) => void;

  constructor(
    grammar: ForeignGrammar,
    source: BracketCounts | null,
    writers: {
      query: (writer: SqlWriter, query: Query) => void;
      expression: (writer: SqlWriter, expression: Expression) => void;
    },
  ) {
    this.grammar = grammar;
    this.sourceBrackets = source;
    this.putQuery = (query, parenthesize = false) =>
      this.putBracketed(query, parenthesize, () => writers.query(this, query));
    this.putExpression = (node, parenthesize = false) =>
      this.putBracketed(node, parenthesize, () => writers.expression(this, node));
  }

  put(text: string): void {
    this.text += text;
  }
  putList<T>(nodes: readonly T[], write: (node: T) => void): void {
    for (const [index, node] of nodes.entries()) {
      if (index > 0) this.put(', ');
      write(node);
    }
  }
  putExpressions(nodes: readonly Expression[]): void {
    this.putList(nodes, (node) => this.putExpression(node));
  }
  putNames(names: readonly string[]): void {
    this.put(`(${names.map((name) => this.grammar.quoteName(name)).join(', ')})`);
  }
  putPath(path: readonly string[]): void {
    this.put(path.map((part) => this.grammar.quoteName(part)).join('.'));
  }
  putAlias(alias: string | null): void {
    if (alias !== null) this.put(` AS ${this.grammar.quoteName(alias)}`);
  }
  putClause<T>(word: string, node: T | null, write: (node: T) => void): void {
    if (node === null) return;
    this.put(` ${word} `);
    write(node);
  }
  putSubquery(query: Query): void {
    this.put('(');
    this.putQuery(query);
    this.put(')');
  }
  putBracketed(node: Node, parenthesize: boolean, write: () => void): void {
    const brackets = this.sourceBrackets ? (this.sourceBrackets.get(node) ?? 0) : Number(parenthesize);
    if (this.sourceBrackets && parenthesize && brackets === 0) throw new UnwritableError('brackets');
    this.starts.push([node, this.text.length]);
    this.put('('.repeat(brackets));
    write();
    this.put(')'.repeat(brackets));
  }
}
