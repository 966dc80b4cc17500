// Writes a neutral tree so that it can be read in one way only: every name in quotes, every operation inside another in
// brackets. Written plainly instead, with the brackets of its source and no others, it is compared with that source.

import { Unwritable } from '../dialect.ts';
import type {
  Call,
  Case,
  CommonTable,
  Expression,
  FrameBound,
  FromItem,
  Grouping,
  In,
  Item,
  Join,
  Literal,
  Node,
  Query,
  Select,
  SetOperation,
  SortKey,
  Window,
} from '../tree.ts';
import type { BinaryRule, ForeignGrammar } from './grammar.ts';
import { typeText } from './grammar.ts';
import type { Brackets } from './reader.ts';

/** Whatever of a tree has a place. */
export type Placed = Node | CommonTable;

export class ForeignWriter {
  text = '';
  /** Where each node begins in the text. */
  readonly starts: [Placed, number][] = [];
  #scalarEnd = -1;
  readonly #grammar: ForeignGrammar;
  readonly #source: Brackets | null;

  /** `source`: the brackets to write, and no others; null: those that leave one reading. */
  constructor(grammar: ForeignGrammar, source: Brackets | null) {
    this.#grammar = grammar;
    this.#source = source;
  }

  #put(text: string): void {
    this.text += text;
  }
  #each<T>(nodes: readonly T[], write: (node: T) => void): void {
    for (const [index, node] of nodes.entries()) {
      if (index > 0) this.#put(', ');
      write(node);
    }
  }
  #expressions(nodes: readonly Expression[]): void {
    this.#each(nodes, (one) => this.expression(one));
  }
  #names(names: readonly string[]): void {
    this.#put(`(${names.map((name) => this.#grammar.quoteName(name)).join(', ')})`);
  }
  #named(alias: string | null): void {
    if (alias !== null) this.#put(` AS ${this.#grammar.quoteName(alias)}`);
  }
  #clause<T>(word: string, node: T | null, write: (node: T) => void): void {
    if (node === null) return;
    this.#put(` ${word} `);
    write(node);
  }
  /** `needed`: there is no other way to tell what belongs together. */
  #within(node: Node, needed: boolean, write: () => void): void {
    const brackets = this.#source ? (this.#source.get(node) ?? 0) : Number(needed);
    if (this.#source && needed && brackets === 0) throw new Unwritable('brackets');
    this.starts.push([node, this.text.length]);
    this.#put('('.repeat(brackets));
    write();
    this.#put(')'.repeat(brackets));
  }

  query(query: Query, needed = false): void {
    this.#within(query, needed, () => {
      const clause = query.with;
      if (clause) {
        this.#put(`WITH ${clause.recursive ? 'RECURSIVE ' : ''}`);
        this.#each(clause.entries, (entry) => {
          if (entry.materialized !== null) throw new Unwritable('MATERIALIZED');
          this.starts.push([entry, this.text.length]);
          this.#put(this.#grammar.quoteName(entry.name));
          if (entry.columns.length > 0) this.#names(entry.columns);
          this.#put(' AS ');
          this.#subquery(entry.query);
        });
        this.#put(' ');
      }
      if (query.kind === 'select') this.#select(query);
      else if (query.kind === 'set') this.#setOperation(query);
      else throw new Unwritable('VALUES');
      if (query.orderBy.length > 0) this.#clause('ORDER BY', query.orderBy, (keys) => this.#sortKeys(keys));
      this.#clause('LIMIT', query.limit, (limit) => this.expression(limit));
      this.#clause('OFFSET', query.offset, (offset) => this.expression(offset));
    });
  }

  #subquery(query: Query): void {
    this.#put('(');
    this.query(query);
    this.#put(')');
  }

  #setOperation(query: SetOperation): void {
    if (query.byName) throw new Unwritable('BY NAME');
    const row = (side: Query): boolean =>
      side.kind === 'set' && side.operator === query.operator && this.#grammar.chained.has(query.operator);
    const apart = (side: Query): boolean =>
      side.with !== null || side.orderBy.length > 0 || side.limit !== null || side.offset !== null;
    const start = this.text.length;
    this.query(query.left, (query.left.kind === 'set' && !row(query.left)) || apart(query.left));
    // The parser takes what follows for the subquery's.
    if (!this.#source && this.text.length === this.#scalarEnd) {
      this.text = `${this.text.slice(0, start)}(${this.text.slice(start)})`;
    }
    this.#put(` ${query.operator.toUpperCase()}${query.all ? ' ALL' : ''} `);
    this.query(query.right, query.right.kind === 'set' || apart(query.right));
  }

  #select(select: Select): void {
    if (select.qualify || (select.distinct && select.distinct.on.length > 0)) throw new Unwritable('QUALIFY');
    this.#put(`SELECT ${select.distinct ? 'DISTINCT ' : ''}`);
    this.#each(select.items, (item) => this.#item(item));
    if (select.from.length > 0)
      this.#clause('FROM', select.from, (items) => this.#each(items, (item) => this.#from(item)));
    this.#clause('WHERE', select.where, (condition) => this.expression(condition));
    this.#clause('GROUP BY', select.groupBy, (grouping) => this.#grouping(grouping));
    this.#clause('HAVING', select.having, (condition) => this.expression(condition));
    if (select.windows.length > 0) {
      this.#put(' WINDOW ');
      this.#each(select.windows, ({ name, window }) => {
        this.#put(`${this.#grammar.quoteName(name)} AS `);
        this.#window({ ...window, named: false });
      });
    }
  }

  #item({ value, alias }: Item): void {
    this.expression(value);
    this.#named(alias);
  }

  #grouping({ all, distinct, keys }: Grouping): void {
    const [first] = keys;
    const rollup = keys.length === 1 && first?.kind === 'grouping_set' && first.how === 'rollup' ? first : null;
    if (all || distinct) throw new Unwritable('GROUP BY ALL');
    if (rollup) this.starts.push([rollup, this.text.length]);
    this.#each(rollup ? rollup.keys : keys, (key) => {
      if (key.kind === 'grouping_set') throw new Unwritable('GROUPING SETS');
      this.expression(key);
    });
    if (rollup) this.#put(' WITH ROLLUP');
  }

  #sortKeys(keys: readonly SortKey[]): void {
    this.#each(keys, ({ value, direction, nulls }) => {
      if (nulls !== null) throw new Unwritable('NULLS FIRST');
      this.expression(value);
      if (direction === 'desc') this.#put(' DESC');
    });
  }

  #from(item: FromItem, needed = false): void {
    if (item.columns.length > 0) throw new Unwritable('names of columns');
    this.#within(item, needed, () => {
      switch (item.kind) {
        case 'table':
          if (item.catalog !== null) throw new Unwritable('a catalog');
          this.#path([...(item.schema === null ? [] : [item.schema]), item.name]);
          break;
        case 'derived':
          if (item.lateral) throw new Unwritable('LATERAL');
          this.#subquery(item.query);
          break;
        case 'join':
          this.#join(item);
          break;
        case 'table_call':
          throw new Unwritable('a function in FROM');
      }
      this.#named(item.alias);
    });
  }

  #join(join: Join): void {
    const word = Object.values(this.#grammar.joins).find(
      ({ how, natural }) => how === join.how && natural === join.natural,
    );
    if (!word || join.usingAlias !== null) throw new Unwritable(`a join of kind ${join.how}`);
    this.#from(join.left);
    this.#put(` ${word.text} `);
    this.#from(join.right, join.right.kind === 'join');
    this.#clause('ON', join.on, (condition) => this.expression(condition));
    if (join.using.length > 0) this.#clause('USING', join.using, (names) => this.#names(names));
  }

  #path(path: readonly string[]): void {
    this.#put(path.map((part) => this.#grammar.quoteName(part)).join('.'));
  }

  #operand(node: Expression, least: number): void {
    const level = this.#levelOf(node);
    this.expression(node, this.#source ? level < least : level < this.#grammar.levels.primary);
  }

  #ruleOf(node: Expression): BinaryRule | undefined {
    return this.#grammar.binary.find(
      ({ kind, operator }) => kind === node.kind && 'operator' in node && operator === node.operator,
    );
  }

  #levelOf(node: Expression): number {
    const { levels } = this.#grammar;
    switch (node.kind) {
      case 'logic':
        return node.operator === 'not' ? levels.not : this.#rule(node).level;
      case 'arithmetic':
        return node.left === null ? levels.sign : this.#rule(node).level;
      case 'compare':
      case 'operation':
        return this.#rule(node).level;
      case 'between':
      case 'in':
      case 'like':
      case 'is_null':
      case 'is_truth':
        return levels.comparison;
      case 'collate':
        return levels.collate;
      default:
        // With brackets of its own, a number that carries its sign is one operand too.
        return node.kind === 'literal' && node.value.startsWith('-') && node.type === 'number'
          ? levels.sign
          : levels.primary;
    }
  }

  #rule(node: Expression): BinaryRule {
    const rule = this.#ruleOf(node);
    if (!rule) throw new Unwritable('operator' in node ? `the operator ${node.operator}` : node.kind);
    return rule;
  }

  expression(node: Expression, needed = false): void {
    this.#within(node, needed, () => this.#operation(node));
  }

  #operation(node: Expression): void {
    const { levels, patterns } = this.#grammar;
    switch (node.kind) {
      case 'logic':
        if (node.operator === 'not') {
          this.#put('NOT ');
          this.#operand(node.args[0]!, levels.not);
        } else {
          const rule = this.#rule(node);
          for (const [index, arg] of node.args.entries()) {
            if (index > 0) this.#put(` ${rule.text} `);
            this.#operand(arg, rule.level + 1);
          }
        }
        return;
      case 'arithmetic':
        if (node.left === null) {
          if (node.operator !== '-') throw new Unwritable('a plus sign');
          this.#put('- ');
          this.#operand(node.right, levels.sign);
        } else this.#binary(node, node.left, node.right);
        return;
      case 'compare':
      case 'operation':
        if (node.left === null || node.right === null) throw new Unwritable(`the operator ${node.operator}`);
        this.#binary(node, node.left, node.right);
        return;
      case 'is_null':
      case 'is_truth':
        if (node.kind === 'is_truth' && node.is === 'unknown') throw new Unwritable('IS UNKNOWN');
        this.#operand(node.value, levels.compared);
        this.#put(` IS${node.negated ? ' NOT' : ''} ${node.kind === 'is_null' ? 'NULL' : node.is.toUpperCase()}`);
        return;
      case 'between':
        if (node.symmetric) throw new Unwritable('SYMMETRIC');
        this.#operand(node.value, levels.compared);
        this.#put(`${node.negated ? ' NOT' : ''} BETWEEN `);
        this.#operand(node.low, levels.compared);
        this.#put(' AND ');
        this.#operand(node.high, levels.compared);
        return;
      case 'like': {
        const word = Object.values(patterns).find(({ how }) => how === node.how);
        if (!word) throw new Unwritable(node.how);
        this.#operand(node.value, levels.compared);
        this.#put(`${node.negated ? ' NOT' : ''} ${word.text} `);
        this.#operand(node.pattern, levels.pattern);
        this.#clause('ESCAPE', node.escape, (sign) => this.expression(sign));
        return;
      }
      case 'in':
        this.#in(node);
        return;
      case 'collate':
        // The parser knows COLLATE straight after few things.
        if (
          this.#source ||
          node.value.kind === 'column' ||
          (node.value.kind === 'literal' && node.value.type === 'string')
        )
          this.#operand(node.value, levels.collate);
        else this.expression(node.value, true);
        this.#put(` COLLATE ${node.collation}`);
        return;
      default:
        this.#primary(node);
    }
  }

  #binary(node: Expression, left: Expression, right: Expression): void {
    const rule = this.#rule(node);
    this.#operand(left, rule.left);
    this.#put(` ${rule.text} `);
    this.#operand(right, rule.right);
  }

  #in(node: In): void {
    this.#operand(node.value, this.#grammar.levels.compared);
    this.#put(`${node.negated ? ' NOT' : ''} IN (`);
    if (Array.isArray(node.among)) this.#expressions(node.among);
    else this.query(node.among);
    this.#put(')');
  }

  #primary(node: Expression): void {
    switch (node.kind) {
      case 'column':
        this.#path(node.path);
        return;
      case 'star':
        if (node.columns || node.exclude.length + node.replace.length + node.rename.length > 0)
          throw new Unwritable('a star with more');
        this.#put(`${node.qualifier.map((part) => `${this.#grammar.quoteName(part)}.`).join('')}*`);
        return;
      case 'literal':
        this.#put(this.#literal(node));
        return;
      case 'parameter':
        this.#put('?');
        return;
      case 'row':
        if (node.keyword) throw new Unwritable('ROW');
        this.#put('(');
        this.#expressions(node.items);
        this.#put(')');
        return;
      case 'scalar':
        this.#subquery(node.query);
        this.#scalarEnd = this.text.length;
        return;
      case 'exists':
        this.#put(`${node.negated ? 'NOT ' : ''}EXISTS `);
        this.#subquery(node.query);
        return;
      case 'cast':
        if (node.safe) throw new Unwritable('TRY_CAST');
        this.#put('CAST(');
        this.expression(node.value);
        this.#put(` AS ${typeText(node.type)})`);
        return;
      case 'case':
        this.#case(node);
        return;
      case 'interval':
        this.#put('INTERVAL ');
        this.#operand(node.amount, 0);
        this.#put(` ${node.unit}`);
        return;
      case 'call':
        this.#call(node);
        return;
      default:
        throw new Unwritable(node.kind);
    }
  }

  #literal({ type, value }: Literal): string {
    switch (type) {
      case 'number':
        return value;
      case 'string':
        return this.#grammar.quoteText(value);
      case 'boolean':
        return value.toUpperCase();
      case 'null':
        return 'NULL';
      case 'bits':
        throw new Unwritable('bits');
      default:
        return `${type.toUpperCase()} ${this.#grammar.quoteText(value)}`;
    }
  }

  #case({ operand, whens, otherwise }: Case): void {
    this.#put('CASE');
    if (operand) {
      this.#put(' ');
      this.expression(operand);
    }
    for (const { when, result } of whens) {
      this.#clause('WHEN', when, (one) => this.expression(one));
      this.#clause('THEN', result, (one) => this.expression(one));
    }
    this.#clause('ELSE', otherwise, (one) => this.expression(one));
    this.#put(' END');
  }

  #call(call: Call): void {
    if (call.schema !== null || call.within || call.filter || call.nulls || call.variadic) {
      throw new Unwritable(`this form of ${call.name}`);
    }
    this.#put(call.name);
    if (!call.bare) {
      this.#put(`(${call.distinct ? 'DISTINCT ' : ''}${call.star ? '*' : ''}`);
      if (call.unit !== null) this.#put(`${call.unit}${call.name === 'extract' ? ' FROM ' : ', '}`);
      this.#expressions(call.args);
      if (call.orderBy.length > 0) this.#clause('ORDER BY', call.orderBy, (keys) => this.#sortKeys(keys));
      if (call.separator !== null) this.#put(` SEPARATOR ${this.#grammar.quoteText(call.separator)}`);
      this.#put(')');
    }
    if (call.over) {
      this.#put(' OVER ');
      this.#window(call.over);
    }
  }

  #window({ base, named, partitionBy, orderBy, frame }: Window): void {
    if (named && base !== null) {
      this.#put(this.#grammar.quoteName(base));
      return;
    }
    const before = this.text.length + 1;
    const clause = <T>(word: string, node: T, write: (node: T) => void): void => {
      this.#put(`${this.text.length > before ? ' ' : ''}${word} `);
      write(node);
    };
    this.#put(`(${base === null ? '' : this.#grammar.quoteName(base)}`);
    if (partitionBy.length > 0) clause('PARTITION BY', partitionBy, (keys) => this.#expressions(keys));
    if (orderBy.length > 0) clause('ORDER BY', orderBy, (keys) => this.#sortKeys(keys));
    if (frame) {
      if (frame.exclude) throw new Unwritable('EXCLUDE');
      clause(`${frame.unit.toUpperCase()}${frame.end ? ' BETWEEN' : ''}`, frame.start, (side) => this.#bound(side));
      this.#clause('AND', frame.end, (side) => this.#bound(side));
    }
    this.#put(')');
  }

  #bound({ how, by }: FrameBound): void {
    if (by) {
      this.expression(by);
      this.#put(' ');
    }
    this.#put(how.toUpperCase());
  }
}

export function writeForeign(grammar: ForeignGrammar, query: Query): string {
  const writer = new ForeignWriter(grammar, null);
  writer.query(query);
  return writer.text;
}

export function writeForeignExpression(grammar: ForeignGrammar, expression: Expression): string {
  const writer = new ForeignWriter(grammar, null);
  writer.expression(expression);
  return writer.text;
}
