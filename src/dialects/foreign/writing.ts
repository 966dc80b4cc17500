// The SQL written so far, and the callbacks that all parts of the writer share.
import { Unwritable } from '../dialect.ts';
import type { CommonTable, Expression, Node, Query } from '../tree.ts';
import type { ForeignGrammar } from './grammar.ts';
import type { Brackets } from './reader.ts';

export type PositionedNode = Node | CommonTable;

export class Writing {
  text = '';
  readonly starts: [PositionedNode, number][] = [];
  /** The end of the last scalar subquery. */
  scalarEnd = -1;
  readonly grammar: ForeignGrammar;
  /** The parentheses of the source. Null writes every pair that a single reading needs. */
  readonly source: Brackets | null;
  /** `needed`: the SQL would have another meaning without parentheses. */
  readonly query: (query: Query, needed?: boolean) => void;
  readonly expression: (expression: Expression, needed?: boolean) => void;

  constructor(
    grammar: ForeignGrammar,
    source: Brackets | null,
    on: {
      query: (writing: Writing, query: Query) => void;
      expression: (writing: Writing, expression: Expression) => void;
    },
  ) {
    this.grammar = grammar;
    this.source = source;
    this.query = (query, needed = false) => this.within(query, needed, () => on.query(this, query));
    this.expression = (node, needed = false) => this.within(node, needed, () => on.expression(this, node));
  }

  put(text: string): void {
    this.text += text;
  }
  each<T>(nodes: readonly T[], write: (node: T) => void): void {
    for (const [index, node] of nodes.entries()) {
      if (index > 0) this.put(', ');
      write(node);
    }
  }
  expressions(nodes: readonly Expression[]): void {
    this.each(nodes, (one) => this.expression(one));
  }
  names(names: readonly string[]): void {
    this.put(`(${names.map((name) => this.grammar.quoteName(name)).join(', ')})`);
  }
  path(path: readonly string[]): void {
    this.put(path.map((part) => this.grammar.quoteName(part)).join('.'));
  }
  named(alias: string | null): void {
    if (alias !== null) this.put(` AS ${this.grammar.quoteName(alias)}`);
  }
  clause<T>(word: string, node: T | null, write: (node: T) => void): void {
    if (node === null) return;
    this.put(` ${word} `);
    write(node);
  }
  subquery(query: Query): void {
    this.put('(');
    this.query(query);
    this.put(')');
  }
  within(node: Node, needed: boolean, write: () => void): void {
    const brackets = this.source ? (this.source.get(node) ?? 0) : Number(needed);
    if (this.source && needed && brackets === 0) throw new Unwritable('brackets');
    this.starts.push([node, this.text.length]);
    this.put('('.repeat(brackets));
    write();
    this.put(')'.repeat(brackets));
  }
}
