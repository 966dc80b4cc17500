// Walks a DuckDB tree, denying by default, resolving every name in its scope and marking tables for replacement.
import type { Analysis, Outputs, Position } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, isPlain } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { CteScope, makeSource, NameScope, type OutputColumn, renameColumns, type Source } from '../name-scope.ts';
import { numberText } from './exact-json.ts';
import { DUCKDB_TABLE_COLUMNS } from './functions.ts';
import { constantOf, outputName, pathOf, stepOrConstant } from './nodes.ts';
import {
  DUCKDB_LAMBDA_FUNCTIONS,
  DUCKDB_OPERATOR_TYPES,
  DUCKDB_OPERATORS,
  DUCKDB_SHAPES,
  DUCKDB_TYPES,
  DUCKDB_VALUE_NAMES,
} from './shapes.ts';

interface Place {
  scope: NameScope;
  ctes: CteScope;
  position: Position;
  outputs: Outputs;
  depth: number;
}
interface At {
  parent: NameScope | null;
  ctes: CteScope;
  outermost: boolean;
  depth: number;
}

const DEEPEST = 400;
const TABLE_FIELDS = ['type', 'alias', 'sample', 'query_location'];
const fields = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
const SELECT_FIELDS = fields(
  `type modifiers cte_map select_list from_table where_clause group_expressions group_sets aggregate_handling having sample
   qualify`,
);
const SET_FIELDS = fields('type modifiers cte_map setop_type left right setop_all children');
const RECURSIVE_FIELDS = fields(
  'type modifiers cte_map cte_name union_all left right aliases key_targets payload_aggregates',
);
const FUNCTION_FIELDS = fields(
  `class type alias query_location function_name schema children filter order_bys distinct is_operator export_state catalog`,
);
const WINDOW_FIELDS = fields(
  `class type alias query_location function_name schema catalog children partitions orders start end start_expr end_expr
   offset_expr default_expr ignore_nulls filter_expr exclude_clause distinct arg_orders`,
);
const STAR_FIELDS = fields(
  `class type alias query_location relation_name exclude_list replace_list columns expr qualified_exclude_list rename_list
   unpacked`,
);

export class DuckdbWalker {
  readonly #analysis: Analysis;
  readonly #parameters: number;

  constructor(analysis: Analysis, parameters: number) {
    this.#analysis = analysis;
    this.#parameters = parameters;
  }

  statement(node: AstNode): OutputColumn[] {
    return this.#query(node, { parent: null, ctes: new CteScope(), outermost: true, depth: 0 });
  }

  expression(node: unknown): void {
    this.#visit(node, { scope: new NameScope(null), ctes: new CteScope(), position: 'used', outputs: 'no', depth: 0 });
  }

  #query(node: AstNode, at: At): OutputColumn[] {
    if (this.#tooDeep(at.depth)) return [];
    const ctes = this.#with(asNode(node['cte_map']), at);
    const inner = { ...at, ctes, depth: at.depth + 1 };
    const scope = new NameScope(at.parent);
    const place: Place = { scope, ctes, position: 'used', outputs: 'also', depth: at.depth + 1 };
    let outputs: OutputColumn[] = [];
    const modifiers = asList(node['modifiers']).map(asNode);
    const distinct = modifiers.some((modifier) => modifier['type'] === 'DISTINCT_MODIFIER');
    switch (node['type']) {
      case 'SELECT_NODE':
        outputs = this.#select(node, place, at.outermost && !distinct);
        break;
      case 'SET_OPERATION_NODE': {
        this.#noOtherFields('A set operation', node, SET_FIELDS);
        const arms = [node['left'], node['right'], ...asList(node['children'])].filter(isNode);
        const found = arms.map((arm) => this.#query(arm, inner));
        for (const columns of found) this.#analysis.noMasked(columns, 'in a set operation');
        outputs = asText(node['setop_type']).includes('BY_NAME') ? found.flat() : (found[0] ?? []);
        break;
      }
      default:
        this.#analysis.construct(asText(node['type']) || 'This query');
    }
    scope.outputs = outputs;
    if (distinct) this.#analysis.noMasked(outputs, 'in SELECT DISTINCT');
    for (const modifier of modifiers) this.#modifier(modifier, place, outputs);
    return outputs;
  }

  #select(node: AstNode, place: Place, shown: boolean): OutputColumn[] {
    this.#noOtherFields('SELECT', node, SELECT_FIELDS);
    if (node['sample']) this.#analysis.construct('USING SAMPLE');
    const before = this.#analysis.reads;
    this.#from(node['from_table'], place);
    this.#analysis.joined(before);
    const outputs = this.#outputs(asList(node['select_list']).map(asNode), place, shown);
    place.scope.outputs = outputs;
    this.#visit(node['where_clause'], place);
    for (const key of asList(node['group_expressions'])) {
      this.#position(key, outputs);
      this.#visit(key, place);
    }
    if (node['aggregate_handling'] === 'FORCE_AGGREGATES') this.#analysis.noMasked(outputs, 'in GROUP BY ALL');
    this.#visit(node['having'], place);
    this.#visit(node['qualify'], place);
    return outputs;
  }

  #position(expression: unknown, outputs: OutputColumn[]): void {
    if (typeof constantOf(expression) === 'number') {
      const at = Number(constantOf(expression));
      this.#analysis.noMasked(outputs.slice(at - 1, at), 'by its position');
    }
  }

  #modifier(modifier: AstNode, place: Place, outputs: OutputColumn[]): void {
    const type = modifier['type'];
    if (type === 'ORDER_MODIFIER') {
      this.#noOtherFields('ORDER BY', modifier, fields('type orders'));
      for (const order of asList(modifier['orders']).map(asNode)) {
        const key = asNode(order['expression']);
        if (key['class'] === 'STAR') {
          this.#analysis.noMasked(outputs, 'in ORDER BY ALL');
          if (asText(key['relation_name']) !== '' || key['expr']) this.#analysis.construct('ORDER BY COLUMNS(…)');
          continue;
        }
        this.#position(key, outputs);
        this.#visit(key, { ...place, outputs: 'first' });
      }
    } else if (type === 'LIMIT_MODIFIER') {
      this.#noOtherFields('LIMIT', modifier, fields('type limit offset'));
      this.#visit(modifier['limit'], place);
      this.#visit(modifier['offset'], place);
    } else if (type === 'DISTINCT_MODIFIER') {
      this.#noOtherFields('DISTINCT', modifier, fields('type distinct_on_targets'));
      this.#visit(modifier['distinct_on_targets'], place);
    } else {
      this.#analysis.construct(type === 'LIMIT_PERCENT_MODIFIER' ? 'LIMIT in percent' : String(type));
    }
  }

  #with(map: AstNode, at: At): CteScope {
    let ctes = at.ctes;
    for (const entry of asList(map['map']).map(asNode)) {
      const name = asText(entry['key']);
      const info = asNode(entry['value']);
      this.#noOtherFields('WITH', info, fields('aliases query materialized key_targets'));
      this.#analysis.identifier(name);
      this.#analysis.cteNames.add(this.#analysis.fold(name));
      const renamed = asList(info['aliases']).map(asText);
      const query = asNode(asNode(info['query'])['node']);
      const deeper = { parent: at.parent, outermost: false, depth: at.depth + 1 };
      const before = this.#analysis.reads;
      const columns =
        query['type'] === 'RECURSIVE_CTE_NODE'
          ? this.#recursive(name, query, renamed, { ...deeper, ctes })
          : this.#query(query, { ...deeper, ctes });
      const reads = this.#analysis.reads - before;
      ctes = ctes.with(this.#analysis.fold(name), renameColumns(columns, renamed), reads);
    }
    return ctes;
  }

  #recursive(name: string, node: AstNode, renamed: string[], at: At): OutputColumn[] {
    this.#noOtherFields('A recursive query', node, RECURSIVE_FIELDS);
    if (asList(asNode(node['cte_map'])['map']).length > 0) this.#analysis.construct('WITH inside a recursive part');
    const columns = this.#query(asNode(node['left']), at);
    const arm = asNode(node['right']);
    const bounded = arm['where_clause'] || arm['having'] || arm['qualify'] || arm['type'] !== 'SELECT_NODE';
    const from = asNode(arm['from_table']);
    const itself = this.#analysis.fold(asText(from['table_name'])) === this.#analysis.fold(name);
    if (!bounded && (itself || from['type'] === 'SUBQUERY')) {
      this.#analysis.faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
    }
    this.#query(arm, { ...at, ctes: at.ctes.with(this.#analysis.fold(name), renameColumns(columns, renamed)) });
    return columns;
  }

  /** Bare columns and * first: computed columns may use the aliases of the same list, wherever they stand. */
  #outputs(items: AstNode[], place: Place, shown: boolean): OutputColumn[] {
    place.scope.outputs = items
      .map((item) => ({ name: asText(item['alias']), masked: null }))
      .filter(({ name }) => name !== '');
    const found = items.map((item): OutputColumn[] | null => {
      const path = pathOf(item);
      if (path && this.#analysis.resolves(place.scope, path)) {
        const name = asText(item['alias']) || path.at(-1)!;
        return [
          { name, masked: this.#column(item, path, { ...place, outputs: 'no', position: shown ? 'shown' : 'used' }) },
        ];
      }
      if (item['class'] === 'STAR' && item['columns'] !== true) return this.#star(item, place);
      return null;
    });
    const named = items.flatMap((item, index) => found[index] ?? [{ name: outputName(item), masked: null }]);
    place.scope.outputs = named;
    for (const [index, item] of items.entries()) {
      if (found[index]) continue;
      const before = place.scope.sources.some(({ relation }) => relation?.raw) ? JSON.stringify(item) : null;
      this.#visit(item, place);
      if (before !== null) this.#hideRawName(item, before, index);
    }
    return named;
  }

  /** A counted masked field is read under another name, which must not show as the name of an output column. */
  #hideRawName(item: AstNode, before: string, index: number): void {
    const raw = this.#analysis.rawNames.find((name) => !before.includes(name) && JSON.stringify(item).includes(name));
    if (raw === undefined || asText(item['alias']) !== '') return;
    const counted = pathOf(asNode(asList(asNode(JSON.parse(before))['children'])[0]));
    item['alias'] = counted ? `count(DISTINCT ${counted.join('.')})` : `computed_${index + 1}`;
  }

  #star(node: AstNode, place: Place): OutputColumn[] {
    this.#noOtherFields('*', node, STAR_FIELDS);
    if (asList(node['qualified_exclude_list']).length > 0) this.#analysis.construct('EXCLUDE of a qualified column');
    const replaced = asList(node['replace_list']).map(asNode);
    for (const entry of replaced) this.#visit(entry['value'], place);
    this.#visit(node['expr'], place);
    const relation = asText(node['relation_name']);
    const without = [...asList(node['exclude_list']).map(asText), ...replaced.map((entry) => asText(entry['key']))];
    const columns = this.#analysis.star(place.scope, relation === '' ? [] : [relation], without);
    const renamed = asList(node['rename_list']).map(asNode);
    if (renamed.length > 0) this.#analysis.construct('* RENAME');
    return [...columns, ...replaced.map((entry) => ({ name: asText(entry['key']), masked: null }))];
  }

  #from(value: unknown, place: Place): Source[] {
    const table = asNode(value);
    if (this.#tooDeep(place.depth)) return [];
    if (table['sample']) this.#analysis.construct('TABLESAMPLE');
    const alias = asText(table['alias']);
    this.#analysis.identifier(alias);
    const aliases = asList(table['column_name_alias']).map(asText);
    const add = (source: Source): Source[] => {
      if (aliases.length > source.columns.length && !source.open) {
        this.#analysis.faults.add(
          'column',
          `${source.alias} has ${source.columns.length} columns, not ${aliases.length}.`,
        );
      }
      source.columns = renameColumns(source.columns, aliases);
      place.scope.sources.push(source);
      return [source];
    };
    const known = (more: string): ReadonlySet<string> => new Set([...TABLE_FIELDS, ...more.split(/\s+/)]);
    switch (table['type']) {
      case 'EMPTY':
        return [];
      case 'BASE_TABLE': {
        this.#noOtherFields('A table', table, known('schema_name table_name column_name_alias catalog_name at_clause'));
        return this.#table(table, alias, place, add);
      }
      case 'SUBQUERY': {
        this.#noOtherFields('A subquery', table, known('subquery column_name_alias'));
        const query = asNode(asNode(table['subquery'])['node']);
        // DuckDB lets a subquery in FROM see what stands before it.
        const at = { parent: place.scope, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
        const columns = this.#query(query, at);
        return add(makeSource(alias, columns, { open: columns.some(({ name }) => !/^\w+$/.test(name)) }));
      }
      case 'EXPRESSION_LIST': {
        this.#noOtherFields('VALUES', table, known('values expected_names expected_types'));
        const rows = asList(table['values']);
        for (const row of rows) this.#visit(row, place);
        const columns = asList(rows[0]).map((_, index) => ({ name: `col${index}`, masked: null }));
        return add(makeSource(alias || 'valueslist', columns));
      }
      case 'TABLE_FUNCTION': {
        const more = 'function column_name_alias with_ordinality';
        this.#noOtherFields('A function in FROM', table, known(more));
        const call = asNode(table['function']);
        if (call['class'] !== 'FUNCTION') this.#analysis.construct('This function in FROM');
        this.#visit(call, place);
        const name = asText(call['function_name']).toLowerCase();
        const names = [...(DUCKDB_TABLE_COLUMNS.get(name) ?? [])];
        if (table['with_ordinality'] !== 'WITHOUT_ORDINALITY') names.push('ordinality');
        // The alias of a function names its one value too.
        if (alias !== '' && aliases.length === 0) names.push(alias);
        return add(
          makeSource(
            alias || name,
            names.map((column) => ({ name: column, masked: null })),
          ),
        );
      }
      case 'JOIN':
        return this.#join(table, alias, place);
      default:
        this.#analysis.construct(table['type'] === 'SHOW_REF' ? 'DESCRIBE, SHOW or SUMMARIZE' : String(table['type']));
        return [];
    }
  }

  #table(table: AstNode, alias: string, place: Place, add: (source: Source) => Source[]): Source[] {
    if (table['at_clause']) this.#analysis.construct('AT (…)');
    const name = asText(table['table_name']);
    const catalog = asText(table['catalog_name']);
    const schema = asText(table['schema_name']);
    for (const part of [name, catalog, schema]) this.#analysis.identifier(part);
    const cte = schema === '' && catalog === '' ? place.ctes.find(this.#analysis.fold(name)) : undefined;
    if (cte) {
      this.#analysis.read(cte.reads);
      const open = cte.columns.some((column) => !/^\w+$/.test(column.name));
      return add(makeSource(alias || name, cte.columns, { open }));
    }
    const source = this.#analysis.table({ catalog, schema, table: name, alias });
    if (!source) return [];
    this.#analysis.replaceLater(source, (body) => {
      const columnAlias = table['column_name_alias'];
      const location = table['query_location'];
      for (const key of Object.keys(table)) delete table[key];
      Object.assign(table, {
        type: 'SUBQUERY',
        alias: alias || name,
        sample: null,
        query_location: location,
        subquery: { node: body, named_param_map: [] },
        column_name_alias: columnAlias,
      });
    });
    return add(source);
  }

  #join(table: AstNode, alias: string, place: Place): Source[] {
    const known = `type alias sample query_location left right condition join_type ref_type using_columns delim_flipped
      duplicate_eliminated_columns`;
    this.#noOtherFields('A join', table, fields(known));
    const deeper = { ...place, depth: place.depth + 1 };
    const left = this.#from(table['left'], deeper);
    const right = this.#from(table['right'], deeper);
    if (!['REGULAR', 'CROSS', 'NATURAL', 'ASOF'].includes(asText(table['ref_type']))) {
      this.#analysis.construct(`A ${asText(table['ref_type'])} join`);
    }
    if (alias !== '') this.#analysis.construct('An alias on a join');
    const using = asList(table['using_columns']).map(asText);
    const natural = table['ref_type'] === 'NATURAL';
    if (natural || using.length > 0) this.#analysis.joinColumns(left, right, using, natural);
    this.#visit(table['condition'], { ...place, outputs: 'no' });
    return [...left, ...right];
  }

  #visit(value: unknown, place: Place): void {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) this.#visit(one, place);
      return;
    }
    const node = asNode(value);
    const deeper = { ...place, depth: place.depth + 1 };
    if (this.#tooDeep(deeper.depth)) return;
    switch (node['class']) {
      case 'COLUMN_REF':
        this.#column(node, pathOf(node) ?? [], place);
        return;
      case 'FUNCTION':
        this.#call(node, { ...deeper, position: 'used' });
        return;
      case 'WINDOW':
        this.#window(node, { ...deeper, position: 'used' });
        return;
      case 'CONSTANT':
        this.#constant(node);
        return;
      case 'CAST':
        this.#noOtherFields('A cast', node, fields('class type alias query_location child cast_type try_cast'));
        this.#type(node['cast_type']);
        this.#visit(node['child'], deeper);
        return;
      case 'SUBQUERY':
        this.#subquery(node, deeper);
        return;
      case 'PARAMETER': {
        const name = asText(node['identifier']);
        if (!/^\d+$/.test(name) || Number(name) < 1 || Number(name) > this.#parameters) {
          this.#analysis.faults.add('parameter', `$${name} is not a parameter of this statement.`);
        }
        return;
      }
      case 'LAMBDA':
        // Outside the list functions the arrow takes something out of JSON.
        this.#noOtherFields('->', node, fields('class type alias query_location lhs expr syntax_type'));
        this.#visit(node['lhs'], deeper);
        this.#visit(node['expr'], deeper);
        return;
      case 'STAR':
        if (node['columns'] === true) {
          this.#analysis.noMasked(this.#star(node, deeper), 'through COLUMNS(…)');
          return;
        }
        this.#analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
        return;
      case 'OPERATOR':
        if (!DUCKDB_OPERATOR_TYPES.has(asText(node['type']))) this.#analysis.construct(asText(node['type']));
        break;
      case undefined:
        if (node['when_expr'] !== undefined || node['then_expr'] !== undefined) {
          this.#noOtherFields('CASE', node, fields('when_expr then_expr'));
          this.#visit(node['when_expr'], deeper);
          this.#visit(node['then_expr'], deeper);
          return;
        }
    }
    const kind = asText(node['class']);
    const shape = Object.hasOwn(DUCKDB_SHAPES, kind) ? DUCKDB_SHAPES[kind] : undefined;
    if (!shape) {
      this.#analysis.construct(kind || 'This construct');
      return;
    }
    for (const [field, value] of Object.entries(node)) {
      const expected = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (expected === undefined || (expected === 'plain' && !isPlain(value))) {
        this.#analysis.construct(`${kind}.${field}`);
      } else if (expected === 'node') this.#visit(value, deeper);
    }
  }

  #column(node: AstNode, path: string[], place: Place): string | null {
    const [first] = path;
    const value = path.length === 1 && first !== undefined && DUCKDB_VALUE_NAMES.has(first.toLowerCase());
    if (value) {
      this.#analysis.functions.add(first.toLowerCase());
      return null;
    }
    const use = this.#analysis.column(place.scope, path, place.position, place.outputs);
    if (use.parts) node['column_names'] = use.parts;
    return use.masked;
  }

  #call(node: AstNode, place: Place): void {
    this.#noOtherFields('A function call', node, FUNCTION_FIELDS);
    const name = asText(node['function_name']).toLowerCase();
    this.#schema(node, name);
    if (node['export_state'] === true) this.#analysis.construct('EXPORT_STATE');
    if (node['is_operator'] === true) {
      if (!DUCKDB_OPERATORS.has(name)) this.#analysis.faults.add('operator', `The operator ${name} is not allowed.`);
    } else if (!DUCKDB_OPERATORS.has(name) || !/^[^a-z]+$/.test(name)) this.#analysis.call(name);
    const args = asList(node['children']);
    const bounded = name === '^' || name === '**' ? 'power' : name;
    checkBoundedCall(bounded, args, args.map(stepOrConstant), this.#analysis.faults);
    if (/aggr/.test(name) && !this.#namesAggregate(args)) {
      this.#analysis.faults.add('function', `${name} needs the name of an aggregate as a constant.`);
    }
    const counted =
      name === 'count' && node['distinct'] === true && args.length === 1 && pathOf(asNode(args[0])) !== null;
    for (const arg of args) {
      if (asNode(arg)['class'] === 'LAMBDA' && DUCKDB_LAMBDA_FUNCTIONS.has(name)) this.#lambda(asNode(arg), place);
      else this.#visit(arg, { ...place, position: counted ? 'counted' : 'used' });
    }
    this.#visit(node['filter'], place);
    for (const order of asList(asNode(node['order_bys'])['orders'])) this.#visit(asNode(order)['expression'], place);
  }

  /** list_aggregate(x, 'name') calls what its text says. */
  #namesAggregate(args: unknown[]): boolean {
    const name = constantOf(args[1]);
    if (typeof name !== 'string') return false;
    this.#analysis.call(name.toLowerCase());
    return true;
  }

  #lambda(node: AstNode, place: Place): void {
    this.#noOtherFields('A lambda', node, fields('class type alias query_location lhs expr syntax_type'));
    const left = asNode(node['lhs']);
    const parameters = left['class'] === 'FUNCTION' ? asList(left['children']).map(asNode) : [left];
    const paths = parameters.map(pathOf);
    if (paths.some((path) => path?.length !== 1)) {
      this.#analysis.construct('This lambda');
      return;
    }
    const scope = new NameScope(place.scope);
    scope.locals = new Set(paths.map((path) => this.#analysis.fold(path![0]!)));
    this.#visit(node['expr'], { ...place, scope });
  }

  #window(node: AstNode, place: Place): void {
    this.#noOtherFields('A window function', node, WINDOW_FIELDS);
    this.#analysis.windows = true;
    const name = asText(node['function_name']).toLowerCase();
    this.#schema(node, name);
    this.#analysis.call(name);
    for (const key of [
      'children',
      'partitions',
      'start_expr',
      'end_expr',
      'offset_expr',
      'default_expr',
      'filter_expr',
    ]) {
      this.#visit(node[key], place);
    }
    for (const order of [...asList(node['orders']), ...asList(node['arg_orders'])]) {
      this.#visit(asNode(order)['expression'], place);
    }
  }

  #schema(node: AstNode, name: string): void {
    const schema = asText(node['schema']);
    const builtin = ['', 'main', 'pg_catalog'].includes(schema.toLowerCase()) && asText(node['catalog']) === '';
    if (!builtin) {
      this.#analysis.faults.add(
        'function',
        `${schema}.${name}(…) is not allowed: write ${name}(${schema}, …) or a built-in.`,
      );
    }
  }

  #subquery(node: AstNode, place: Place): void {
    const known = 'class type alias query_location subquery_type subquery child comparison_type';
    this.#noOtherFields('A subquery', node, fields(known));
    this.#analysis.subqueries = true;
    this.#visit(node['child'], { ...place, position: 'used' });
    const at = { parent: place.scope, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
    const columns = this.#query(asNode(asNode(node['subquery'])['node']), at);
    if (!asText(node['subquery_type']).includes('EXISTS')) this.#analysis.noMasked(columns, 'in a subquery');
  }

  /** Every type inside a nested one, too. */
  #type(value: unknown): void {
    if (Array.isArray(value)) {
      for (const one of value) this.#type(one);
      return;
    }
    if (!isNode(value)) return;
    if (typeof value['id'] === 'string' && !DUCKDB_TYPES.has(value['id'])) {
      const name = asText(asNode(value['type_info'])['name']) || value['id'];
      this.#analysis.faults.add('type', `The type ${name.toLowerCase()} is not allowed in a cast.`);
      return;
    }
    for (const child of Object.values(value)) this.#type(child);
  }

  #constant(node: AstNode): void {
    this.#noOtherFields('A constant', node, fields('class type alias query_location value'));
    this.#type(asNode(node['value'])['type']);
    const value = constantOf(node);
    const location = Number(node['query_location']);
    if (value !== undefined && Number.isFinite(location)) this.#analysis.constants.push({ location, value });
    const type = asText(asNode(asNode(node['value'])['type'])['id']);
    if (type === 'DOUBLE' || type === 'FLOAT' || type === 'BOOLEAN') castFromText(node, type);
  }

  #tooDeep(depth: number): boolean {
    if (depth > DEEPEST) this.#analysis.faults.add('too_deep', 'The statement nests too deeply.');
    return depth > DEEPEST;
  }

  #noOtherFields(what: string, node: AstNode, known: ReadonlySet<string>): void {
    for (const field of Object.keys(node)) if (!known.has(field)) this.#analysis.construct(`${what} with ${field}`);
  }
}

/** DuckDB writes the double 1e10 as 10000000000.0, which reads back as a decimal, and true, which reads back as a cast of
 *  't'; a cast from text stays what it is. */
function castFromText(node: AstNode, type: string): void {
  const { alias, query_location, ...constant } = node;
  const raw = asNode(constant['value'])['value'];
  const text = typeof raw === 'boolean' ? (raw ? 't' : 'f') : numberText(raw);
  const value = { type: { id: 'VARCHAR', type_info: null }, is_null: false, value: text };
  const child = { ...constant, alias: '', query_location, value };
  for (const key of Object.keys(node)) delete node[key];
  const cast = { class: 'CAST', type: 'OPERATOR_CAST', alias, query_location, child };
  Object.assign(node, cast, { cast_type: { id: type, type_info: null }, try_cast: false });
}
