// Walks a Postgres parse tree, denying by default, resolving every name in its scope and marking tables for replacement.

import type { Analysis, Outputs, Position } from '../analysis.ts';
import { type AstNode, asList, asNode, asText, isNode, isPlain } from '../ast.ts';
import { checkBoundedCall } from '../bounded-calls.ts';
import { CteScope, makeSource, NameScope, type OutputColumn, renameColumns, type Source } from '../name-scope.ts';
import { POSTGRES_TABLE_COLUMNS } from './functions.ts';
import { columnPath, constantOf, outputName, stringsOf, unwrap } from './nodes.ts';
import { POSTGRES_SHAPES } from './shapes.ts';
import { POSTGRES_OPERATORS, POSTGRES_TYPES, POSTGRES_VALUE_FUNCTIONS } from './builtins.ts';

interface Place {
  scope: NameScope;
  ctes: CteScope;
  position: Position;
  outputs: Outputs;
  depth: number;
}

const DEEPEST = 400;
const SELECT_FIELDS = new Set(
  `distinctClause targetList fromClause whereClause groupClause groupDistinct havingClause windowClause valuesLists
   sortClause limitOffset limitCount limitOption withClause op all larg rarg`.split(/\s+/),
);

export class PostgresWalker {
  readonly #analysis: Analysis;
  /** $1 … $n may be written. */
  readonly #parameters: number;

  constructor(analysis: Analysis, parameters: number) {
    this.#analysis = analysis;
    this.#parameters = parameters;
  }

  statement(select: AstNode): OutputColumn[] {
    return this.#select(select, { parent: null, ctes: new CteScope(), outermost: true, depth: 0 });
  }

  expression(wrapped: unknown): void {
    this.#visit(wrapped, {
      scope: new NameScope(null),
      ctes: new CteScope(),
      position: 'used',
      outputs: 'no',
      depth: 0,
    });
  }

  #select(
    stmt: AstNode,
    at: { parent: NameScope | null; ctes: CteScope; outermost: boolean; depth: number },
  ): OutputColumn[] {
    if (at.depth > DEEPEST) {
      this.#analysis.faults.add('too_deep', 'The statement nests too deeply.');
      return [];
    }
    this.#noOtherFields('SELECT', stmt, SELECT_FIELDS);
    const ctes = isNode(stmt['withClause']) ? this.#with(stmt['withClause'], at) : at.ctes;
    const inner = { ...at, ctes, depth: at.depth + 1 };
    const scope = new NameScope(at.parent);
    const place: Place = { scope, ctes, position: 'used', outputs: 'no', depth: at.depth + 1 };
    let outputs: OutputColumn[];
    let starred = false;
    if (stmt['op'] !== undefined && stmt['op'] !== 'SETOP_NONE') {
      outputs = this.#select(asNode(stmt['larg']), inner);
      const right = this.#select(asNode(stmt['rarg']), inner);
      this.#analysis.noMasked([...outputs, ...right], 'in a set operation');
    } else if (asList(stmt['valuesLists']).length > 0) {
      const rows = asList(stmt['valuesLists']);
      for (const row of rows) this.#visit(row, place);
      const first = unwrap(rows[0]);
      outputs = asList(first.data['items']).map((_, index) => ({ name: `column${index + 1}`, masked: null }));
    } else {
      const before = this.#analysis.reads;
      for (const item of asList(stmt['fromClause'])) this.#from(item, place);
      this.#analysis.joined(before);
      const shown = at.outermost && stmt['distinctClause'] === undefined;
      starred = asList(stmt['targetList']).some((target) => columnPath(unwrap(target).data['val'])?.star);
      outputs = asList(stmt['targetList']).flatMap((target) => this.#target(target, place, shown));
      if (asList(stmt['targetList']).length === 0) this.#analysis.construct('A SELECT without columns');
    }
    scope.outputs = outputs;
    this.#visit(stmt['whereClause'], place);
    for (const group of asList(stmt['groupClause'])) this.#ordered(group, place, 'also', outputs, starred);
    this.#visit(stmt['havingClause'], place);
    this.#visit(stmt['windowClause'], place);
    for (const key of asList(stmt['distinctClause'])) {
      if (isNode(key) && Object.keys(key).length > 0) this.#ordered(key, place, 'first', outputs, starred);
    }
    if (stmt['distinctClause'] !== undefined) this.#analysis.noMasked(outputs, 'in SELECT DISTINCT');
    for (const sort of asList(stmt['sortClause'])) {
      const { kind, data } = unwrap(sort);
      if (kind !== 'SortBy' || data['useOp'] !== undefined) this.#analysis.construct('ORDER BY … USING');
      this.#ordered(data['node'], place, 'first', outputs, starred);
    }
    this.#visit(stmt['limitOffset'], place);
    this.#visit(stmt['limitCount'], place);
    return outputs;
  }

  /** ORDER BY, GROUP BY and DISTINCT ON know positions and output names besides expressions. */
  #ordered(wrapped: unknown, place: Place, outputs: Outputs, columns: OutputColumn[], starred: boolean): void {
    const { kind, data } = unwrap(wrapped);
    const call = kind === 'FuncCall' ? stringsOf(data['funcname']).at(-1) : null;
    if (outputs === 'also' && (kind === 'GroupingSet' || call === 'rollup' || call === 'cube')) {
      const parts = asList(kind === 'GroupingSet' ? data['content'] : data['args']);
      for (const part of parts) this.#ordered(part, place, outputs, columns, starred);
    }
    const constant = constantOf(wrapped);
    if (typeof constant === 'number') {
      const meant = starred ? columns : columns.slice(constant - 1, constant);
      this.#analysis.noMasked(meant, 'by its position');
    }
    this.#visit(wrapped, { ...place, outputs: columnPath(wrapped) || outputs === 'also' ? outputs : 'no' });
  }

  #with(clause: AstNode, at: { parent: NameScope | null; ctes: CteScope; depth: number }): CteScope {
    this.#noOtherFields('WITH', clause, new Set(['ctes', 'recursive', 'location']));
    let ctes = at.ctes;
    for (const wrapped of asList(clause['ctes'])) {
      const { data } = unwrap(wrapped);
      const allowed = new Set(['ctename', 'aliascolnames', 'ctematerialized', 'ctequery', 'location', 'cterefcount']);
      this.#noOtherFields('WITH', data, allowed);
      const name = asText(data['ctename']);
      this.#analysis.identifier(name);
      this.#analysis.cteNames.add(name);
      const renamed = stringsOf(data['aliascolnames']);
      const query = unwrap(data['ctequery']);
      if (query.kind !== 'SelectStmt') {
        this.#analysis.faults.add(
          'not_select',
          `WITH ${name} holds ${query.kind || 'something'} that is not a SELECT.`,
        );
        continue;
      }
      let visible = ctes;
      if (clause['recursive'] === true && query.data['larg'] !== undefined) {
        if (query.data['op'] === 'SETOP_UNION') this.#endless(name, asNode(query.data['rarg']));
        visible = ctes.with(name, this.#recursiveColumns(query.data, renamed));
      }
      const before = this.#analysis.reads;
      const columns = this.#select(query.data, {
        parent: at.parent,
        ctes: visible,
        outermost: false,
        depth: at.depth + 1,
      });
      ctes = ctes.with(name, renameColumns(columns, renamed), this.#analysis.reads - before);
    }
    return ctes;
  }

  #recursiveColumns(query: AstNode, renamed: string[]): OutputColumn[] {
    let first = query;
    while (isNode(first['larg'])) first = first['larg'];
    const values = unwrap(asList(first['valuesLists'])[0]);
    const names =
      values.kind === 'List'
        ? asList(values.data['items']).map((_, index) => `column${index + 1}`)
        : asList(first['targetList']).map((target) => outputName(target));
    return renameColumns(
      names.map((name) => ({ name, masked: null })),
      renamed,
    );
  }

  /** Without a condition in the recursive part the recursion has no end of its own (G15). */
  #endless(name: string, arm: AstNode): void {
    const bounded = ['whereClause', 'larg', 'havingClause'].some((key) => arm[key] !== undefined);
    const joins = asList(arm['fromClause']).length > 1 || unwrap(asList(arm['fromClause'])[0]).kind === 'JoinExpr';
    if (
      !bounded &&
      !joins &&
      arm['op'] === 'SETOP_NONE' &&
      JSON.stringify(arm['fromClause'] ?? '').includes(`"${name}"`)
    ) {
      this.#analysis.faults.add('endless', `The recursion in ${name} has no WHERE that ends it.`);
    }
  }

  #target(wrapped: unknown, place: Place, shown: boolean): OutputColumn[] {
    const { kind, data } = unwrap(wrapped);
    if (kind !== 'ResTarget' || data['indirection'] !== undefined) {
      this.#analysis.construct(kind || 'An empty output column');
      return [];
    }
    const path = columnPath(data['val']);
    if (path?.star) return this.#analysis.star(place.scope, path.parts);
    if (path) {
      const columnRef = unwrap(data['val']).data;
      const masked = this.#column(columnRef, { ...place, position: shown ? 'shown' : 'used' });
      return [{ name: outputName(wrapped), masked }];
    }
    this.#visit(data['val'], place);
    return [{ name: outputName(wrapped), masked: null }];
  }

  #from(wrapped: unknown, place: Place): Source[] {
    const { kind, data } = unwrap(wrapped);
    const { scope } = place;
    const add = (source: Source): Source[] => {
      const aliased = stringsOf(asNode(data['alias'])['colnames']);
      this.#analysis.identifier(source.alias);
      if (aliased.length > source.columns.length) {
        this.#analysis.faults.add(
          'column',
          `${source.alias} has ${source.columns.length} columns, not ${aliased.length}.`,
        );
      }
      source.columns = renameColumns(source.columns, aliased);
      scope.sources.push(source);
      return [source];
    };
    const alias = asText(asNode(data['alias'])['aliasname']);
    switch (kind) {
      case 'RangeVar': {
        const allowed = ['catalogname', 'schemaname', 'relname', 'inh', 'relpersistence', 'alias', 'location'];
        this.#noOtherFields('A table', data, new Set(allowed));
        const table = asText(data['relname']);
        for (const part of [data['catalogname'], data['schemaname'], table]) this.#analysis.identifier(asText(part));
        if (data['inh'] !== true) this.#analysis.construct('ONLY');
        const cte = data['schemaname'] === undefined ? place.ctes.find(table) : undefined;
        if (cte) {
          this.#analysis.read(cte.reads);
          return add(makeSource(alias || table, cte.columns));
        }
        const source = this.#analysis.table({
          catalog: asText(data['catalogname']),
          schema: asText(data['schemaname']),
          table,
          alias,
        });
        if (!source) return [];
        this.#analysis.replaceLater(source, (body) => replaceTable(asNode(wrapped), data, alias || table, body));
        return add(source);
      }
      case 'RangeSubselect': {
        this.#noOtherFields('A subquery', data, new Set(['lateral', 'subquery', 'alias']));
        const query = unwrap(data['subquery']);
        const parent = data['lateral'] === true ? scope : scope.parent;
        const at = { parent, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
        return add(makeSource(alias, query.kind === 'SelectStmt' ? this.#select(query.data, at) : []));
      }
      case 'RangeFunction':
        return add(this.#tableFunction(data, alias, place));
      case 'JoinExpr':
        return this.#join(data, alias, place);
      default:
        this.#analysis.construct(kind === 'RangeTableSample' ? 'TABLESAMPLE' : `${kind || 'This'} in FROM`);
        return [];
    }
  }

  #tableFunction(data: AstNode, alias: string, place: Place): Source {
    const fields = ['lateral', 'ordinality', 'is_rowsfrom', 'functions', 'alias'];
    this.#noOtherFields('A function in FROM', data, new Set(fields));
    const names: string[] = [];
    let called = '';
    for (const wrapped of asList(data['functions'])) {
      const [call, definitions] = asList(unwrap(wrapped).data['items']);
      if (isNode(definitions) && Object.keys(definitions).length > 0)
        this.#analysis.construct('A column definition list');
      this.#visit(call, place);
      const name = outputName({ ResTarget: { val: call } });
      called ||= name;
      names.push(...(POSTGRES_TABLE_COLUMNS.get(name) ?? [alias !== '' && names.length === 0 ? alias : name]));
      // unnest(a, b) is unnest(a), unnest(b).
      if (name === 'unnest') for (const _ of asList(unwrap(call).data['args']).slice(1)) names.push(name);
    }
    if (data['ordinality'] === true) names.push('ordinality');
    const columns = names.map((name) => ({ name, masked: null }));
    return makeSource(alias || called, columns);
  }

  #join(data: AstNode, alias: string, place: Place): Source[] {
    const fields = [
      'jointype',
      'isNatural',
      'larg',
      'rarg',
      'usingClause',
      'join_using_alias',
      'quals',
      'alias',
      'rtindex',
    ];
    this.#noOtherFields('A join', data, new Set(fields));
    const left = this.#from(data['larg'], place);
    const right = this.#from(data['rarg'], place);
    const using = stringsOf(data['usingClause']);
    if (data['isNatural'] === true || using.length > 0) {
      this.#analysis.joinColumns(left, right, using, data['isNatural'] === true);
    }
    this.#visit(data['quals'], place);
    const { scope } = place;
    const usingAlias = asText(asNode(data['join_using_alias'])['aliasname']);
    if (usingAlias !== '')
      scope.sources.push(
        makeSource(
          usingAlias,
          using.map((name) => ({ name, masked: null })),
        ),
      );
    if (alias === '') return [...left, ...right];
    // An alias on the join hides the names inside it; raw columns can't be reached through it.
    const inner = new Set([...left, ...right]);
    const columns = [...inner].flatMap((source) => source.columns);
    for (const source of inner) source.uses.star = true;
    scope.sources = scope.sources.filter((source) => !inner.has(source));
    const joined = makeSource(alias, renameColumns(columns, stringsOf(asNode(data['alias'])['colnames'])));
    scope.sources.push(joined);
    return [joined];
  }

  #visit(value: unknown, place: Place): void {
    if (value === undefined || value === null) return;
    if (Array.isArray(value)) {
      for (const one of value) this.#visit(one, place);
      return;
    }
    const { kind, data } = unwrap(value);
    this.#node(kind, data, { ...place, depth: place.depth + 1 });
  }

  #node(kind: string, data: AstNode, place: Place): void {
    if (place.depth > DEEPEST) {
      this.#analysis.faults.add('too_deep', 'The statement nests too deeply.');
      return;
    }
    switch (kind) {
      case 'ColumnRef':
        this.#column(data, place);
        return;
      case 'FuncCall':
        this.#call(data, { ...place, position: 'used' });
        return;
      case 'TypeName':
        this.#type(data);
        return;
      case 'A_Const':
        this.#constant(data);
        return;
      case 'ParamRef':
        this.#parameter(data);
        return;
      case 'A_Expr':
        this.#operation(data, place);
        return;
      case 'A_Indirection':
        this.#subscript(data, place);
        return;
      case 'SubLink':
        this.#subquery(data, place);
        return;
      case 'SortBy':
        if (data['useOp'] !== undefined) this.#analysis.construct('ORDER BY … USING');
        this.#visit(data['node'], place);
        return;
      case 'CollateClause': {
        const collation = stringsOf(data['collname']);
        if (collation.length > 1 && collation[0] !== 'pg_catalog')
          this.#analysis.construct('A collation with a schema');
        this.#visit(data['arg'], place);
        return;
      }
      case 'SQLValueFunction': {
        const name = POSTGRES_VALUE_FUNCTIONS.get(asText(data['op']));
        const shown = asText(data['op']).replace('SVFOP_', '').toLowerCase();
        if (name) this.#analysis.functions.add(name);
        else this.#analysis.faults.add('function', `${shown} is not allowed.`);
        return;
      }
      case 'WindowDef':
        this.#analysis.windows = true;
        break;
    }
    const shape = Object.hasOwn(POSTGRES_SHAPES, kind) ? POSTGRES_SHAPES[kind] : undefined;
    if (!shape) {
      this.#analysis.construct(kind || 'This construct');
      return;
    }
    for (const [field, value] of Object.entries(data)) {
      const expected = Object.hasOwn(shape, field) ? shape[field] : undefined;
      if (expected === undefined) this.#analysis.construct(`${kind}.${field}`);
      else if (expected === 'plain') {
        if (!isPlain(value)) this.#analysis.construct(`${kind}.${field}`);
      } else if (expected === 'node') this.#visit(value, place);
      else this.#node(expected, asNode(value), { ...place, depth: place.depth + 1 });
    }
  }

  #column(data: AstNode, place: Place): string | null {
    const path = columnPath({ ColumnRef: data });
    if (!path || path.star) {
      if (path) this.#analysis.noMasked(this.#analysis.star(place.scope, path.parts), 'through *');
      this.#analysis.faults.add('star', 'The * may only stand for output columns; list the columns here.');
      return null;
    }
    const use = this.#analysis.column(place.scope, path.parts, place.position, place.outputs);
    if (use.parts) data['fields'] = use.parts.map((sval) => ({ String: { sval } }));
    return use.masked;
  }

  #call(data: AstNode, place: Place): void {
    const known =
      `funcname args agg_order agg_filter over agg_within_group agg_star agg_distinct func_variadic funcformat
      location`.split(/\s+/);
    this.#noOtherFields('A function call', data, new Set(known));
    const path = stringsOf(data['funcname']);
    const name = path.at(-1) ?? '';
    if (path.length > 1 && (path.length > 2 || path[0] !== 'pg_catalog')) {
      this.#analysis.faults.add('function', `The function ${path.join('.')} is not allowed: only built-in ones are.`);
    }
    // rollup(…) and cube(…) inside GROUPING SETS arrive as calls.
    if (name !== 'rollup' && name !== 'cube') this.#analysis.call(name);
    const args = asList(data['args']);
    checkBoundedCall(name, args, args.map(constantOf), this.#analysis.faults);
    const counted =
      name === 'count' && data['agg_distinct'] === true && args.length === 1 && columnPath(args[0]) !== null;
    this.#visit(args, { ...place, position: counted ? 'counted' : 'used' });
    this.#visit(data['agg_order'], place);
    this.#visit(data['agg_filter'], place);
    if (isNode(data['over'])) this.#node('WindowDef', data['over'], place);
  }

  #operation(data: AstNode, place: Place): void {
    this.#noOtherFields(
      'An operator',
      data,
      new Set(['kind', 'name', 'lexpr', 'rexpr', 'location', 'rexpr_list_start', 'rexpr_list_end']),
    );
    const path = stringsOf(data['name']);
    const name = path.at(-1) ?? '';
    const word = /^[A-Z ]+$/.test(name);
    if (path.length > 1 || !(POSTGRES_OPERATORS.has(name) || word)) {
      this.#analysis.faults.add('operator', `The operator ${path.join('.')} is not allowed.`);
    }
    if (name === '^') checkBoundedCall('power', [], [null, constantOf(data['rexpr'])], this.#analysis.faults);
    this.#visit(data['lexpr'], place);
    this.#visit(data['rexpr'], place);
  }

  /** `(x).name` calls the function `name` when x has no such field, so fields of values can't be taken (G13). */
  #subscript(data: AstNode, place: Place): void {
    this.#noOtherFields('A subscript', data, new Set(['arg', 'indirection']));
    for (const step of asList(data['indirection'])) {
      if (unwrap(step).kind !== 'A_Indices') {
        this.#analysis.faults.add('field_access', 'A field of an expression, (x).y, is not allowed; name the column.');
      }
    }
    this.#visit(data['arg'], place);
    this.#visit(
      asList(data['indirection']).filter((step) => unwrap(step).kind === 'A_Indices'),
      place,
    );
  }

  #subquery(data: AstNode, place: Place): void {
    const known = ['subLinkType', 'subLinkId', 'testexpr', 'operName', 'subselect', 'location'];
    this.#noOtherFields('A subquery', data, new Set(known));
    this.#analysis.subqueries = true;
    const operator = stringsOf(data['operName']);
    if (operator.length > 1 || (operator.length === 1 && !POSTGRES_OPERATORS.has(operator[0]!))) {
      this.#analysis.faults.add('operator', `The operator ${operator.join('.')} is not allowed.`);
    }
    this.#visit(data['testexpr'], { ...place, position: 'used' });
    const query = unwrap(data['subselect']);
    if (query.kind !== 'SelectStmt') {
      this.#analysis.construct(query.kind || 'This subquery');
      return;
    }
    const at = { parent: place.scope, ctes: place.ctes, outermost: false, depth: place.depth + 1 };
    const columns = this.#select(query.data, at);
    if (data['subLinkType'] !== 'EXISTS_SUBLINK') this.#analysis.noMasked(columns, 'in a subquery');
  }

  #type(data: AstNode): void {
    const known = ['names', 'setof', 'pct_type', 'typmods', 'typemod', 'arrayBounds', 'location'];
    this.#noOtherFields('A type', data, new Set(known));
    const path = stringsOf(data['names']);
    const name = path.at(-1) ?? '';
    const builtin = path.length === 1 || (path.length === 2 && path[0] === 'pg_catalog');
    if (!builtin || !POSTGRES_TYPES.has(name) || data['setof'] === true || data['pct_type'] === true) {
      this.#analysis.faults.add('type', `The type ${path.join('.')} is not allowed in a cast.`);
    }
    for (const modifier of asList(data['typmods'])) {
      if (unwrap(modifier).kind !== 'A_Const') this.#analysis.construct('A type modifier that is not a constant');
    }
  }

  #constant(data: AstNode): void {
    this.#noOtherFields(
      'A constant',
      data,
      new Set(['ival', 'fval', 'boolval', 'sval', 'bsval', 'isnull', 'location']),
    );
    const value = constantOf({ A_Const: data });
    if (value !== undefined) {
      this.#analysis.constants.push({ location: Number(data['location'] ?? 0), value });
    }
  }

  #parameter(data: AstNode): void {
    const number = Number(data['number'] ?? 0);
    if (number < 1 || number > this.#parameters) {
      this.#analysis.faults.add('parameter', `$${number} is not a parameter of this statement.`);
    }
  }

  #noOtherFields(what: string, data: AstNode, known: ReadonlySet<string>): void {
    for (const field of Object.keys(data)) {
      if (known.has(field)) continue;
      if (field === 'intoClause') this.#analysis.faults.add('into', 'SELECT … INTO writes a table and is not allowed.');
      else if (field === 'lockingClause')
        this.#analysis.faults.add('locking', 'FOR UPDATE and FOR SHARE are not allowed.');
      else this.#analysis.construct(`${what} with ${field}`);
    }
  }
}

function replaceTable(wrapped: AstNode, table: AstNode, alias: string, body: AstNode): void {
  delete wrapped['RangeVar'];
  const colnames = asNode(table['alias'])['colnames'];
  const named = { aliasname: alias, ...(colnames === undefined ? {} : { colnames }) };
  wrapped['RangeSubselect'] = { subquery: { SelectStmt: body }, alias: named };
}
