// Writes a checked tree as MySQL that can be read in one way only: every name in backticks, every operation in brackets,
// every string without backslashes. `plain` writes the source's own brackets and no others, to be compared with it.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { literal, quoteIdentifier } from '../literals.ts';
import { castType, isEmpty, LEVEL, MYSQL_SHAPES } from './shapes.ts';

export class UnwritableTree extends Error {
  override name = 'UnwritableTree';
}

const quote = (name: unknown): string => quoteIdentifier('mysql', asText(asNode(name)['name']));
const JOINS: Readonly<Record<string, string>> = {
  Inner: 'JOIN',
  Left: 'LEFT JOIN',
  Right: 'RIGHT JOIN',
  Cross: 'CROSS JOIN',
  Natural: 'NATURAL JOIN',
  NaturalLeft: 'NATURAL LEFT JOIN',
  Implicit: ',',
};

export class MysqlWriter {
  readonly #plain: boolean;
  constructor(options: { plain: boolean }) {
    this.#plain = options.plain;
  }

  query(node: AstNode): string {
    const [kind, data] = only(node);
    const query = asNode(data);
    if (kind === 'select') return this.#select(query);
    if (kind === 'subquery') return `(${this.query(asNode(query['this']))})${this.#alias(query['alias'])}`;
    if (!['union', 'except', 'intersect'].includes(kind)) throw new UnwritableTree(`${kind} as a query`);
    const operator = `${kind.toUpperCase()}${query['all'] === true ? ' ALL' : ''}`;
    const sides = [query['left'], query['right']].map((side) => this.query(asNode(side)));
    return `${this.#with(query['with'])}${sides.join(` ${operator} `)}${this.#tail(query)}`;
  }

  #select(select: AstNode): string {
    const parts = [
      `${this.#with(select['with'])}SELECT${select['distinct'] === true ? ' DISTINCT' : ''}`,
      asList(select['expressions'])
        .map((one) => this.expression(one))
        .join(', '),
    ];
    const from = asList(asNode(select['from'])['expressions']).map((one) => this.#from(one));
    if (from.length > 0) parts.push(`FROM ${from.join(', ')}${this.#joins(select['joins'])}`);
    const condition = (key: string) => asNode(select[key])['this'];
    if (condition('where_clause')) parts.push(`WHERE ${this.expression(condition('where_clause'))}`);
    const groups = asList(asNode(select['group_by'])['expressions']);
    const rollup = groups.some((group) => isNode(group) && 'rollup' in group);
    if (groups.length > 0) {
      const listed = groups.filter((group) => isNode(group) && !('rollup' in group));
      parts.push(`GROUP BY ${listed.map((one) => this.expression(one)).join(', ')}${rollup ? ' WITH ROLLUP' : ''}`);
    }
    if (condition('having')) parts.push(`HAVING ${this.expression(condition('having'))}`);
    const windows = asList(select['windows']).map(asNode);
    if (windows.length > 0) {
      parts.push(
        `WINDOW ${windows.map((one) => `${quote(one['name'])} AS ${this.#window(asNode(one['spec']))}`).join(', ')}`,
      );
    }
    return parts.join(' ') + this.#tail(select);
  }

  #tail(query: AstNode): string {
    const order = asList(asNode(query['order_by'])['expressions']);
    const bound = (key: 'limit' | 'offset'): string => {
      const given = asNode(query[key]);
      if (Object.keys(given).length === 0) return '';
      return ` ${key.toUpperCase()} ${this.expression('this' in given ? given['this'] : given)}`;
    };
    return (order.length > 0 ? ` ORDER BY ${this.#order(order)}` : '') + bound('limit') + bound('offset');
  }

  #order(keys: unknown[]): string {
    return keys
      .map(asNode)
      .map((key) => `${this.expression(key['this'])}${key['desc'] === true ? ' DESC' : ''}`)
      .join(', ');
  }

  #with(clause: unknown): string {
    if (!isNode(clause)) return '';
    const ctes = asList(clause['ctes']).map((one) => {
      const cte = asNode(one);
      const columns = asList(cte['columns']);
      const named = columns.length > 0 ? ` (${columns.map(quote).join(', ')})` : '';
      return `${quote(cte['alias'])}${named} AS (${this.query(asNode(cte['this']))})`;
    });
    return `WITH ${clause['recursive'] === true ? 'RECURSIVE ' : ''}${ctes.join(', ')} `;
  }

  #alias(alias: unknown): string {
    return isNode(alias) ? ` AS ${quote(alias)}` : '';
  }

  #from(item: unknown): string {
    const [kind, value] = only(asNode(item));
    const data = asNode(value);
    if (kind === 'table') {
      const path = [data['schema'], data['name']].filter(isNode).map(quote).join('.');
      return path + this.#alias(data['alias']);
    }
    if (kind === 'joined_table') return `(${this.#from(data['left'])}${this.#joins(data['joins'])})`;
    if (kind === 'subquery') return this.query({ subquery: data });
    throw new UnwritableTree(`${kind} in FROM`);
  }

  #joins(joins: unknown): string {
    return asList(joins)
      .map(asNode)
      .map((join) => {
        const word = JOINS[asText(join['kind'])];
        if (word === undefined) throw new UnwritableTree(`a join of kind ${asText(join['kind'])}`);
        const using = asList(join['using']);
        const on = isEmpty(join['on']) ? '' : ` ON ${this.expression(join['on'])}`;
        return ` ${word} ${this.#from(join['this'])}${on}${using.length > 0 ? ` USING (${using.map(quote).join(', ')})` : ''}`;
      })
      .join('');
  }

  #operand(node: unknown, least: number): string {
    const text = this.expression(node);
    const level = levelOf(node);
    if (this.#plain) {
      if (level < least) throw new UnwritableTree('brackets');
      return text;
    }
    return level < LEVEL.primary ? `(${text})` : text;
  }

  expression(node: unknown): string {
    const [kind, value] = only(asNode(node));
    const data = asNode(value);
    const shape = Object.hasOwn(MYSQL_SHAPES, kind) ? MYSQL_SHAPES[kind] : undefined;
    if (shape) {
      return shape.form
        .replace(/\[(\w+):([^\]]*)\]/g, (_, field: string, text: string) => (data[field] === true ? text : ''))
        .replace(/\{(\w+)(?::(\d+))?\}/g, (_, field: string, least?: string) => {
          if (kind === 'exists') return this.query(asNode(data[field]));
          return least === undefined ? this.expression(data[field]) : this.#operand(data[field], Number(least));
        });
    }
    return this.#special(kind, data, value);
  }

  #special(kind: string, data: AstNode, value: unknown): string {
    const list = (nodes: unknown): string =>
      asList(nodes)
        .map((one) => this.expression(one))
        .join(', ');
    switch (kind) {
      case 'alias':
        return `${this.expression(data['this'])}${this.#alias(data['alias'])}`;
      case 'column':
        return [data['catalog'], data['schema'], data['table'], data['name']].filter(isNode).map(quote).join('.');
      case 'star':
        return isNode(data['table']) ? `${quote(data['table'])}.*` : '*';
      case 'literal':
        return literalText(data);
      case 'boolean':
        return data['value'] === true ? 'TRUE' : 'FALSE';
      case 'null':
        return 'NULL';
      case 'placeholder':
        return '?';
      case 'like': {
        const escaping = isEmpty(data['escape']) ? '' : ` ESCAPE ${this.expression(data['escape'])}`;
        return `${this.#operand(data['left'], 50)} LIKE ${this.#operand(data['right'], 80)}${escaping}`;
      }
      case 'in': {
        const inside = isNode(data['query']) ? this.query(data['query']) : list(data['expressions']);
        return `${this.#operand(data['this'], 50)}${data['not'] === true ? ' NOT' : ''} IN (${inside})`;
      }
      case 'tuple':
        return `(${list(data['expressions'])})`;
      case 'case': {
        const whens = asList(data['whens']).map(asList);
        const operand = isEmpty(data['operand']) ? '' : ` ${this.expression(data['operand'])}`;
        const other = isEmpty(data['else_']) ? '' : ` ELSE ${this.expression(data['else_'])}`;
        const arms = whens.map(([when, then]) => ` WHEN ${this.expression(when)} THEN ${this.expression(then)}`);
        return `CASE${operand}${arms.join('')}${other} END`;
      }
      case 'cast':
        return `CAST(${this.expression(data['this'])} AS ${castType(asNode(data['to'])) ?? 'unknown'})`;
      case 'collation':
        return `${this.#operand(data['this'], LEVEL.collate)} COLLATE ${asText(data['collation'])}`;
      case 'extract':
        return `EXTRACT(${asText(data['field']).toUpperCase()} FROM ${this.expression(data['this'])})`;
      case 'interval':
        return `INTERVAL ${this.expression(data['this'])} ${asText(asNode(data['unit'])['unit']).toUpperCase()}`;
      case 'function': {
        if (data['no_parens'] === true) return asText(data['name']).toLowerCase();
        const inside = `${data['distinct'] === true ? 'DISTINCT ' : ''}${this.#arguments(data)}`;
        return `${asText(data['name']).toLowerCase()}(${inside})`;
      }
      case 'group_concat': {
        const order = asList(data['order_by']);
        const ordered = order.length > 0 ? ` ORDER BY ${this.#order(order)}` : '';
        const separator = isEmpty(data['separator']) ? '' : ` SEPARATOR ${this.expression(data['separator'])}`;
        const distinct = data['distinct'] === true ? 'DISTINCT ' : '';
        return `group_concat(${distinct}${this.expression(data['this'])}${ordered}${separator})`;
      }
      case 'window_function': {
        const over = asNode(data['over']);
        const named = isNode(over['window_name']) ? quote(over['window_name']) : this.#window(over);
        return `${this.expression(data['this'])} OVER ${named}`;
      }
      case 'subquery':
      case 'select':
        return kind === 'subquery' ? this.query({ subquery: value }) : this.query({ select: value });
      default:
        throw new UnwritableTree(kind);
    }
  }

  #arguments(call: AstNode): string {
    const args = asList(call['args']);
    return args
      .map((one, index) =>
        index === 0 && typeof call['unit'] === 'string' ? call['unit'].toUpperCase() : this.expression(one),
      )
      .join(', ');
  }

  #window(spec: AstNode): string {
    const parts: string[] = [];
    const partition = asList(spec['partition_by']);
    if (partition.length > 0) parts.push(`PARTITION BY ${partition.map((one) => this.expression(one)).join(', ')}`);
    const order = asList(spec['order_by']);
    if (order.length > 0) parts.push(`ORDER BY ${this.#order(order)}`);
    const frame = spec['frame'];
    if (isNode(frame)) {
      const [start, end] = [frame['start'], frame['end']].map((side) => (isEmpty(side) ? null : this.#bound(side)));
      const kind = asText(frame['kind']).toUpperCase();
      parts.push(end === null ? `${kind} ${start}` : `${kind} BETWEEN ${start} AND ${end}`);
    }
    return `(${parts.join(' ')})`;
  }

  #bound(side: unknown): string {
    if (typeof side === 'string') return side.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
    const [kind, value] = only(asNode(side));
    return `${this.expression(value)} ${kind.toUpperCase()}`;
  }
}

function literalText(data: AstNode): string {
  const type = asText(data['literal_type']);
  const value = asText(data['value']);
  if (type === 'number') return value;
  const text = literal('mysql', value, 'string');
  return type === 'string' ? text : `${type.toUpperCase()} ${text}`;
}

export function levelOf(node: unknown): number {
  const [kind] = only(asNode(node));
  if (kind === 'like' || kind === 'in') return LEVEL.comparison;
  if (kind === 'collation') return LEVEL.collate;
  return Object.hasOwn(MYSQL_SHAPES, kind) ? MYSQL_SHAPES[kind]!.level : LEVEL.primary;
}

/** `{kind: data}` taken apart. */
export function only(node: AstNode): [string, unknown] {
  const [kind, ...others] = Object.keys(node);
  if (kind === undefined || others.length > 0) throw new UnwritableTree('an unknown construct');
  return [kind, node[kind]];
}
