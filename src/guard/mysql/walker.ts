// Walks a MySQL tree, denying by default, resolving every name in its scope and marking tables for replacement.
import type { Analysis, Outputs, Position } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { CteScope, makeSource, NameScope, type OutputColumn, renameColumns, type Source } from '../name-scope.ts';
import { castType, INTERVAL_UNITS, isEmpty, MYSQL_SHAPES, UNMEANT } from './shapes.ts';

interface Place {
  scope: NameScope;
  ctes: CteScope;
  position: Position;
  outputs: Outputs;
  depth: number;
}
interface QueryPlace {
  parent: NameScope | null;
  ctes: CteScope;
  outermost: boolean;
  depth: number;
}

const DEEPEST = 200;
const SET_OPERATIONS = ['union', 'except', 'intersect'];
const BARE_CALLS = new Set(
  `current_date current_time current_timestamp localtime localtimestamp utc_date utc_time utc_timestamp`.split(' '),
);
/** Fields of the node kinds that have a rule below. */
const FIELDS: Readonly<Record<string, string>> = {
  select: 'expressions from joins where_clause group_by having order_by limit offset distinct with windows',
  set: 'left right all order_by limit offset with',
  subquery: 'this alias',
  table: 'name schema alias',
  joined_table: 'left joins',
  join: 'this on using kind',
  from: 'expressions',
  group_by: 'expressions',
  condition: 'this',
  order: 'expressions',
  ordered: 'this desc',
  with: 'ctes recursive',
  cte: 'alias this columns',
  alias: 'this alias',
  column: 'name table schema',
  identifier: 'name',
  star: 'table',
  literal: 'literal_type value',
  boolean: 'value',
  placeholder: '',
  like: 'left right escape',
  in: 'this expressions query not',
  tuple: 'expressions',
  case: 'operand whens else_',
  cast: 'this to',
  collation: 'this collation',
  extract: 'this field',
  interval: 'this unit',
  unit: 'type unit',
  function: 'name args distinct known unit no_parens',
  group_concat: 'this order_by separator distinct',
  window_function: 'this over',
  over: 'window_name partition_by order_by frame',
  frame: 'kind start end',
  window: 'name spec',
};
const KNOWN = new Map(Object.entries(FIELDS).map(([kind, fields]) => [kind, new Set(fields.split(' '))]));

export class MysqlWalker {
  readonly #analysis: Analysis;
  readonly #parameters: number;
  #placeholders = 0;

  constructor(analysis: Analysis, parameters: number) {
    this.#analysis = analysis;
    this.#parameters = parameters;
  }

  statement(query: AstNode): OutputColumn[] {
    const outputs = this.#query(query, { parent: null, ctes: new CteScope(), outermost: true, depth: 0 });
    if (this.#placeholders !== this.#parameters) {
      this.#analysis.faults.add('parameter', 'The statement holds another number of parameters than was written.');
    }
    return outputs;
  }

  expression(node: unknown): void {
    this.#visit(node, { scope: new NameScope(null), ctes: new CteScope(), position: 'used', outputs: 'no', depth: 0 });
  }

  #query(node: AstNode, at: QueryPlace): OutputColumn[] {
    const [kind, data] = this.#take(node);
    if (at.depth > DEEPEST) {
      this.#analysis.faults.add('too_deep', 'The statement nests too deeply.');
      return [];
    }
    const inner = { ...at, depth: at.depth + 1 };
    if (kind === 'select') return this.#select(data, inner);
    if (kind === 'subquery') {
      this.#fields('subquery', 'A query in brackets', data);
      if (!isEmpty(data['alias'])) this.#analysis.construct('An alias on this query');
      return this.#query(asNode(data['this']), inner);
    }
    if (!SET_OPERATIONS.includes(kind)) {
      this.#analysis.faults.add('not_select', `${nameOf(kind)} is not a SELECT; only reading is allowed.`);
      return [];
    }
    this.#fields('set', nameOf(kind), data);
    const ctes = this.#with(data['with'], inner);
    const below = { ...inner, ctes, outermost: false };
    const [left, right] = [asNode(data['left']), asNode(data['right'])];
    // INTERSECT binds closer than UNION in some versions and not in others.
    const mixed = SET_OPERATIONS.some(
      (other) => other in right || (other in left && other !== kind) || (other in left && kind !== 'union'),
    );
    if (mixed) this.#analysis.faults.add('brackets', 'Put brackets around the parts of this set operation.');
    const outputs = this.#query(left, below);
    this.#analysis.noMasked([...outputs, ...this.#query(right, below)], 'in a set operation');
    const scope = new NameScope(at.parent);
    scope.outputs = outputs;
    this.#tail(data, { scope, ctes, position: 'used', outputs: 'no', depth: inner.depth }, outputs, false);
    return outputs;
  }

  #select(data: AstNode, at: QueryPlace): OutputColumn[] {
    this.#fields('select', 'SELECT', data);
    const ctes = this.#with(data['with'], at);
    const scope = new NameScope(at.parent);
    const place: Place = { scope, ctes, position: 'used', outputs: 'no', depth: at.depth + 1 };
    const before = this.#analysis.reads;
    if (isNode(data['from'])) {
      this.#fields('from', 'FROM', data['from']);
      for (const item of asList(data['from']['expressions'])) this.#from(item, place);
    }
    for (const join of asList(data['joins'])) this.#join(asNode(join), place);
    this.#analysis.joined(before);
    const distinct = data['distinct'] === true;
    const targets = asList(data['expressions']);
    const starred = targets.some((target) => isNode(target) && 'star' in target);
    const outputs = targets.flatMap((target) => this.#target(target, place, at.outermost && !distinct));
    if (targets.length === 0) this.#analysis.construct('A SELECT without columns');
    scope.outputs = outputs;
    this.#condition(data['where_clause'], place);
    if (isNode(data['group_by'])) {
      this.#fields('group_by', 'GROUP BY', data['group_by']);
      for (const key of asList(data['group_by']['expressions'])) {
        const rollup = asNode(asNode(key)['rollup']);
        if (isNode(key) && 'rollup' in key) {
          if (!isEmpty(rollup['expressions'])) this.#analysis.construct('ROLLUP (…)');
        } else this.#ordered(key, place, 'also', outputs, starred);
      }
    }
    this.#condition(data['having'], { ...place, outputs: 'also' });
    for (const one of asList(data['windows']).map(asNode)) {
      this.#fields('window', 'WINDOW', one);
      this.#window(asNode(one['spec']), place);
    }
    if (distinct) this.#analysis.noMasked(outputs, 'in SELECT DISTINCT');
    this.#tail(data, place, outputs, starred);
    return outputs;
  }

  #tail(data: AstNode, place: Place, outputs: OutputColumn[], starred: boolean): void {
    if (isNode(data['order_by'])) {
      this.#fields('order', 'ORDER BY', data['order_by']);
      for (const key of asList(data['order_by']['expressions']).map(asNode)) {
        this.#fields('ordered', 'ORDER BY', key);
        this.#ordered(key['this'], place, 'also', outputs, starred);
      }
    }
    for (const key of ['limit', 'offset']) {
      const given = asNode(data[key]);
      const value = 'this' in given ? given['this'] : given;
      if (!isNode(data[key])) continue;
      const [kind] = this.#take(asNode(value));
      if (kind !== 'literal' && kind !== 'placeholder') this.#analysis.construct(`A computed ${key.toUpperCase()}`);
      this.#visit(value, place);
    }
  }

  #condition(clause: unknown, place: Place): void {
    if (!isNode(clause)) return;
    this.#fields('condition', 'A condition', clause);
    this.#visit(clause['this'], place);
  }

  /** ORDER BY and GROUP BY know positions and output names besides columns; MySQL looks for both inside expressions too. */
  #ordered(node: unknown, place: Place, outputs: Outputs, columns: OutputColumn[], starred: boolean): void {
    const [kind, data] = this.#take(asNode(node));
    if (kind === 'literal') {
      const position = Number(data['value']);
      this.#analysis.noMasked(starred ? columns : columns.slice(position - 1, position), 'by its position');
    }
    const first = kind === 'column' && outputs === 'also' && place.scope.sources.length === 0;
    this.#visit(node, { ...place, outputs: first ? 'first' : outputs });
  }

  #with(clause: unknown, at: QueryPlace): CteScope {
    if (!isNode(clause)) return at.ctes;
    this.#fields('with', 'WITH', clause);
    let ctes = at.ctes;
    for (const cte of asList(clause['ctes']).map(asNode)) {
      this.#fields('cte', 'WITH', cte);
      const name = this.#name(cte['alias']);
      this.#analysis.cteNames.add(name.toLowerCase());
      const renamed = asList(cte['columns']).map((column) => this.#name(column));
      const query = asNode(cte['this']);
      let visible = ctes;
      if (clause['recursive'] === true && 'union' in query) {
        const { left, right } = asNode(query['union']);
        this.#endless(name, asNode(right));
        visible = ctes.with(name, renameColumns(firstColumns(asNode(left)), renamed));
      }
      const before = this.#analysis.reads;
      const columns = this.#query(query, { parent: at.parent, ctes: visible, outermost: false, depth: at.depth + 1 });
      ctes = ctes.with(name, renameColumns(columns, renamed), this.#analysis.reads - before);
    }
    return ctes;
  }

  /** Without a condition in the recursive part the recursion has no end of its own (G15). */
  #endless(name: string, arm: AstNode): void {
    const select = asNode(arm['select']);
    if ('select' in arm && isEmpty(select['where_clause']) && isEmpty(select['joins'])) {
      this.#analysis.faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
    }
  }

  #target(node: unknown, place: Place, shown: boolean): OutputColumn[] {
    const [kind, data] = this.#take(asNode(node));
    if (kind === 'star') {
      this.#fields('star', '*', data);
      return this.#analysis.star(place.scope, isNode(data['table']) ? [this.#name(data['table'])] : []);
    }
    if (kind === 'alias') {
      this.#fields('alias', 'AS', data);
      const [output] = this.#target(data['this'], place, shown);
      if (isNode(data['this']) && 'star' in data['this']) this.#analysis.construct('* AS');
      return [{ name: this.#name(data['alias']), masked: output?.masked ?? null }];
    }
    if (kind === 'column') {
      const masked = this.#column(data, { ...place, position: shown ? 'shown' : 'used' });
      return [{ name: asText(asNode(data['name'])['name']), masked }];
    }
    this.#visit(node, place);
    return [{ name: '', masked: null }];
  }

  #add(source: Source, place: Place): Source[] {
    this.#analysis.identifier(source.alias);
    if (place.scope.sources.some(({ alias }) => alias.toLowerCase() === source.alias.toLowerCase())) {
      this.#analysis.faults.add('alias', `Two tables of one FROM are called ${source.alias}; name them apart.`);
    }
    place.scope.sources.push(source);
    return [source];
  }

  #from(item: unknown, place: Place): Source[] {
    const wrapped = asNode(item);
    const [kind, data] = this.#take(wrapped);
    const alias = isNode(data['alias']) ? this.#name(data['alias']) : '';
    if (kind === 'table') {
      this.#fields('table', 'A table', data);
      const table = this.#name(data['name']);
      const schema = isNode(data['schema']) ? this.#name(data['schema']) : '';
      const cte = schema === '' ? place.ctes.find(table) : undefined;
      if (cte) {
        this.#analysis.read(cte.reads);
        return this.#add(makeSource(alias || table, cte.columns), place);
      }
      if (schema === '' && this.#analysis.cteNames.has(table.toLowerCase())) {
        // A server may compare these names without case, or look for them elsewhere: then it would be another table.
        this.#analysis.faults.add('cte_name', `Rename ${table} in WITH: it is also read as a table.`);
      }
      const source = this.#analysis.table({ catalog: '', schema, table, alias });
      if (!source) return [];
      this.#analysis.replaceLater(source, (body) => {
        delete wrapped['table'];
        wrapped['subquery'] = { this: body, alias: { name: alias || table } };
      });
      return this.#add(source, place);
    }
    if (kind === 'subquery') {
      this.#fields('subquery', 'A subquery in FROM', data);
      if (alias === '') this.#analysis.faults.add('alias', 'A subquery in FROM needs an alias.');
      const at = { parent: place.scope.parent, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
      return this.#add(makeSource(alias, this.#query(asNode(data['this']), at)), place);
    }
    if (kind === 'joined_table') {
      this.#fields('joined_table', 'A join', data);
      const sources = this.#from(data['left'], place);
      for (const join of asList(data['joins'])) sources.push(...this.#join(asNode(join), place));
      return sources;
    }
    this.#analysis.construct(`${nameOf(kind)} in FROM`);
    return [];
  }

  #join(join: AstNode, place: Place): Source[] {
    this.#fields('join', 'A join', join);
    const kind = asText(join['kind']);
    const left = [...place.scope.sources];
    const right = this.#from(join['this'], place);
    if (!['Inner', 'Left', 'Right', 'Cross', 'Implicit', 'Natural', 'NaturalLeft'].includes(kind)) {
      this.#analysis.construct(`${kind.toUpperCase()} JOIN`);
    }
    const using = asList(join['using']).map((column) => this.#name(column));
    const natural = kind.startsWith('Natural');
    if (natural || using.length > 0) this.#analysis.joinColumns(left, right, using, natural);
    if (!isEmpty(join['on'])) this.#visit(join['on'], place);
    return right;
  }

  #visit(node: unknown, place: Place): void {
    if (isEmpty(node)) return;
    if (Array.isArray(node)) {
      for (const one of node) this.#visit(one, place);
      return;
    }
    if (place.depth > DEEPEST) {
      this.#analysis.faults.add('too_deep', 'The statement nests too deeply.');
      return;
    }
    const [kind, data] = this.#take(asNode(node));
    const below = { ...place, depth: place.depth + 1, position: 'used' as const };
    const shape = Object.hasOwn(MYSQL_SHAPES, kind) ? MYSQL_SHAPES[kind] : undefined;
    if (shape) {
      const fields = new Set(shape.fields);
      this.#noOthers(nameOf(kind), data, fields);
      for (const field of fields) {
        const value = data[field];
        if (kind === 'exists') this.#subquery(asNode(value), below, true);
        else if (isNode(value)) this.#visit(value, below);
        else if (!isEmpty(value) && value !== true) this.#analysis.construct(`${nameOf(kind)} with ${field}`);
      }
      return;
    }
    if (kind === 'null') return;
    if (kind === 'raw') {
      this.#analysis.faults.add('construct', 'Write x NOT LIKE y, or put brackets after NOT.');
      return;
    }
    if (kind !== 'select' && !SET_OPERATIONS.includes(kind) && !KNOWN.has(kind)) {
      this.#analysis.construct(nameOf(kind));
      return;
    }
    if (kind === 'select' || SET_OPERATIONS.includes(kind)) {
      this.#subquery(asNode(node), below, false);
      return;
    }
    this.#fields(kind, nameOf(kind), data);
    this.#known(kind, data, { ...below, position: place.position });
  }

  #known(kind: string, data: AstNode, place: Place): void {
    const used = { ...place, position: 'used' as const };
    switch (kind) {
      case 'column':
        this.#column(data, place);
        return;
      case 'star':
        this.#analysis.noMasked(this.#analysis.star(place.scope, []), 'through *');
        this.#analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
        return;
      case 'literal':
        if (!['string', 'number', 'date', 'time', 'timestamp'].includes(asText(data['literal_type']))) {
          this.#analysis.construct(`A literal of type ${asText(data['literal_type'])}`);
        }
        return;
      case 'boolean':
        return;
      case 'placeholder':
        this.#placeholders++;
        return;
      case 'subquery':
        if (!isEmpty(data['alias'])) this.#analysis.construct('An alias on this subquery');
        this.#subquery(asNode(data['this']), used, false);
        return;
      case 'function':
        this.#call(data, place);
        return;
      case 'like':
      case 'tuple':
        this.#visit([data['left'], data['right'], data['escape'], data['expressions']].flat(), used);
        return;
      case 'in':
        this.#visit(data['this'], used);
        if (isNode(data['query'])) this.#subquery(data['query'], used, false);
        this.#visit(data['expressions'], used);
        return;
      case 'case':
        this.#visit([data['operand'], ...asList(data['whens']).flatMap(asList), data['else_']], used);
        return;
      case 'cast':
        if (castType(asNode(data['to'])) === null) {
          this.#analysis.faults.add(
            'type',
            'A cast must be to signed, unsigned, decimal, double, char, date, datetime or time.',
          );
        }
        this.#visit(data['this'], used);
        return;
      case 'collation':
        if (!/^(?:utf8mb[34]_\w+|binary)$/.test(asText(data['collation']))) this.#analysis.construct('This collation');
        this.#visit(data['this'], used);
        return;
      case 'extract':
        if (!INTERVAL_UNITS.has(asText(data['field']).toUpperCase())) this.#analysis.construct('This unit of EXTRACT');
        this.#visit(data['this'], used);
        return;
      case 'interval': {
        const unit = asNode(data['unit']);
        this.#fields('unit', 'INTERVAL', unit);
        const known = unit['type'] === 'simple' && INTERVAL_UNITS.has(asText(unit['unit']).toUpperCase());
        if (!known) this.#analysis.construct('This unit of INTERVAL');
        this.#visit(data['this'], used);
        return;
      }
      case 'group_concat':
        this.#analysis.call('group_concat');
        this.#visit([data['this'], data['separator']], used);
        this.#orders(data['order_by'], used);
        return;
      case 'window_function': {
        this.#analysis.windows = true;
        if (!('function' in asNode(data['this']))) this.#analysis.construct('OVER on this expression');
        this.#visit(data['this'], used);
        this.#window(asNode(data['over']), used);
        return;
      }
      default:
        this.#analysis.construct(nameOf(kind));
    }
  }

  #subquery(query: AstNode, place: Place, exists: boolean): void {
    this.#analysis.subqueries = true;
    const at = { parent: place.scope, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
    const columns = this.#query(query, at);
    if (!exists) this.#analysis.noMasked(columns, 'in a subquery');
  }

  #call(data: AstNode, place: Place): void {
    const name = asText(data['name']).toLowerCase();
    const args = asList(data['args']);
    this.#analysis.call(name);
    const bare = data['no_parens'] === true || (BARE_CALLS.has(name) && args.length === 0);
    if (bare ? !BARE_CALLS.has(name) || args.length > 0 : data['known'] !== true) {
      this.#analysis.construct(`This form of ${name}`);
    }
    if (name !== 'format') checkBoundedCall(name, args, args.map(constantOf), this.#analysis.faults);
    if (name === 'unix_timestamp' || (name === 'substring_index' && args.length !== 3)) this.#analysis.construct(name);
    const counted = name === 'count' && data['distinct'] === true && args.length === 1 && 'column' in asNode(args[0]);
    for (const [index, arg] of args.entries()) {
      const node = asNode(arg);
      if (index === 0 && typeof data['unit'] === 'string') {
        if (!INTERVAL_UNITS.has(data['unit'])) this.#analysis.construct(`The unit ${data['unit']}`);
      } else if (name === 'count' && args.length === 1 && 'star' in node && isEmpty(asNode(node['star'])['table'])) {
        this.#fields('star', '*', asNode(node['star']));
      } else this.#visit(arg, { ...place, position: counted ? 'counted' : 'used' });
    }
  }

  #window(over: AstNode, place: Place): void {
    this.#fields('over', 'OVER', over);
    if (isNode(over['window_name'])) this.#name(over['window_name']);
    this.#visit(over['partition_by'], place);
    this.#orders(over['order_by'], place);
    if (!isNode(over['frame'])) return;
    const frame = over['frame'];
    this.#fields('frame', 'A window frame', frame);
    if (!['Rows', 'Range'].includes(asText(frame['kind']))) this.#analysis.construct('This window frame');
    for (const side of [frame['start'], frame['end']]) {
      const bound = isNode(side) ? (side['Preceding'] ?? side['Following']) : side;
      if (isNode(bound)) this.#visit(bound, place);
      else if (!isEmpty(side) && !/^(?:CurrentRow|UnboundedPreceding|UnboundedFollowing)$/.test(String(side))) {
        this.#analysis.construct('This window frame');
      }
    }
  }

  #orders(keys: unknown, place: Place): void {
    for (const key of asList(keys).map(asNode)) {
      this.#fields('ordered', 'ORDER BY', key);
      this.#visit(key['this'], place);
    }
  }

  #column(data: AstNode, place: Place): string | null {
    this.#fields('column', 'A column', data);
    const path = [data['schema'], data['table'], data['name']].filter(isNode).map((part) => this.#name(part));
    const use = this.#analysis.column(place.scope, path, place.position, place.outputs);
    if (use.parts) {
      const [table, name] = use.parts.slice(-2);
      data['schema'] = null;
      data['table'] = { name: table };
      data['name'] = { name };
    }
    return use.masked;
  }

  #name(identifier: unknown): string {
    const node = asNode(identifier);
    this.#fields('identifier', 'A name', node);
    const name = asText(node['name']);
    this.#analysis.identifier(name);
    if (name === '') this.#analysis.construct('An empty name');
    return name;
  }

  #take(node: AstNode): [string, AstNode] {
    const [kind, ...others] = Object.keys(node);
    if (kind === undefined || others.length > 0) {
      this.#analysis.construct('This construct');
      return ['', {}];
    }
    return [kind, asNode(node[kind])];
  }

  #fields(kind: string, what: string, data: AstNode): void {
    this.#noOthers(what, data, KNOWN.get(kind)!);
  }

  #noOthers(what: string, data: AstNode, known: ReadonlySet<string>): void {
    for (const [field, value] of Object.entries(data)) {
      if (known.has(field) || UNMEANT.has(field) || isEmpty(value)) continue;
      if (field === 'into') this.#analysis.faults.add('into', 'SELECT … INTO is not allowed.');
      else if (field === 'locks') this.#analysis.faults.add('locking', 'FOR UPDATE and FOR SHARE are not allowed.');
      else this.#analysis.construct(`${what} with ${field.replaceAll('_', ' ')}`);
    }
  }
}

const nameOf = (kind: string): string => (kind === '' ? 'This construct' : kind.replaceAll('_', ' ').toUpperCase());

/** The value of a constant; undefined for every other node. */
export function constantOf(node: unknown): string | number | boolean | null | undefined {
  const data = asNode(node);
  if ('null' in data) return null;
  const literal = asNode(data['literal']);
  if (literal['literal_type'] === 'number') return Number(literal['value']);
  return typeof literal['value'] === 'string' ? literal['value'] : undefined;
}

/** The output names of the first part of a recursion, which is not resolved yet. */
function firstColumns(query: AstNode): OutputColumn[] {
  const inner = asNode(Object.values(query)[0]);
  if ('left' in inner) return firstColumns(asNode(inner['left']));
  if ('subquery' in query) return firstColumns(asNode(inner['this']));
  return asList(inner['expressions']).map((target) => {
    const { alias, column } = asNode(target);
    const named = asNode(isNode(alias) ? alias['alias'] : asNode(column)['name']);
    return { name: asText(named['name']), masked: null };
  });
}
