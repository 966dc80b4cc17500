// FROM of Postgres: tables, subqueries, functions and joins, each with the columns it brings into scope.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { commonTable } from '../common-tables.ts';
import { addSource, makeSource, renameColumns, type Source } from '../name-scope.ts';
import { resolveTable } from '../resolve-table.ts';
import { compareJoined } from '../unnamed-columns.ts';
import { inside, isTooDeep, onlyFields, type Place, type Walk, words } from '../walk.ts';
import { POSTGRES_TABLE_COLUMNS } from './functions.ts';
import { lookedUp } from './lookups.ts';
import { outputName, stringsOf, unwrap } from './nodes.ts';

const TABLE_FIELDS = words('catalogname schemaname relname inh relpersistence alias location');
const SUBQUERY_FIELDS = words('lateral subquery alias');
const FUNCTION_FIELDS = words('lateral ordinality is_rowsfrom functions alias');
const JOIN_FIELDS = words('jointype isNatural larg rarg usingClause join_using_alias quals alias rtindex');

const aliasOf = (item: AstNode): string => asText(asNode(item['alias'])['aliasname']);
const columnAliases = (item: AstNode): string[] => stringsOf(asNode(item['alias'])['colnames']);

/** Brings the sources into scope and returns them. */
export function walkFrom(walk: Walk, wrapped: unknown, place: Place): Source[] {
  const { analysis } = walk;
  if (isTooDeep(walk, place.depth)) return [];
  const { kind, data } = unwrap(wrapped);
  const add = (source: Source | null): Source[] => {
    if (!source) return [];
    analysis.identifier(source.alias);
    return addSource(analysis.faults, place.scope, source, columnAliases(data));
  };
  switch (kind) {
    case 'RangeVar':
      return add(table(walk, asNode(wrapped), data, place));
    case 'RangeSubselect': {
      onlyFields(analysis, 'A subquery', data, SUBQUERY_FIELDS);
      const query = unwrap(data['subquery']);
      const at = inside(place, data['lateral'] === true ? place.scope : place.scope.parent);
      const before = analysis.size.reads;
      const columns = query.kind === 'SelectStmt' ? walk.query(query.data, at) : [];
      analysis.size.derived(before);
      return add(makeSource(aliasOf(data), columns));
    }
    case 'RangeFunction':
      analysis.size.read(1);
      return add(tableFunction(walk, data, place));
    case 'JoinExpr':
      return join(walk, data, place);
    default:
      analysis.construct(kind === 'RangeTableSample' ? 'TABLESAMPLE' : `${kind || 'This'} in FROM`);
      return [];
  }
}

function table({ analysis }: Walk, wrapped: AstNode, data: AstNode, place: Place): Source | null {
  onlyFields(analysis, 'A table', data, TABLE_FIELDS);
  const [catalog, schema, name] = ['catalogname', 'schemaname', 'relname'].map((key) => asText(data[key])) as [
    string,
    string,
    string,
  ];
  for (const part of [catalog, schema, name]) analysis.identifier(part);
  if (data['inh'] !== true) analysis.construct('ONLY');
  const alias = aliasOf(data);
  const cte = data['schemaname'] === undefined ? commonTable(analysis, place.ctes, name, alias || name) : null;
  if (cte) return cte;
  const source = resolveTable(analysis, { catalog, schema, table: name }, alias);
  if (source) {
    analysis.replaceLater(source, (body) => {
      const { colnames } = asNode(data['alias']);
      const named = { aliasname: alias || name, ...(colnames === undefined ? {} : { colnames }) };
      delete wrapped['RangeVar'];
      wrapped['RangeSubselect'] = { subquery: { SelectStmt: lookedUp(body, source) }, alias: named };
    });
  }
  return source;
}

function tableFunction(walk: Walk, data: AstNode, place: Place): Source {
  onlyFields(walk.analysis, 'A function in FROM', data, FUNCTION_FIELDS);
  const alias = aliasOf(data);
  const names: string[] = [];
  let called = '';
  for (const wrapped of asList(data['functions'])) {
    const [call, definitions] = asList(unwrap(wrapped).data['items']);
    if (isNode(definitions) && Object.keys(definitions).length > 0) {
      walk.analysis.construct('A column definition list');
    }
    walk.visit(call, place);
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

function join(walk: Walk, data: AstNode, place: Place): Source[] {
  const { scope } = place;
  onlyFields(walk.analysis, 'A join', data, JOIN_FIELDS);
  const deeper = { ...place, depth: place.depth + 1 };
  const left = walkFrom(walk, data['larg'], deeper);
  const right = walkFrom(walk, data['rarg'], deeper);
  const using = stringsOf(data['usingClause']);
  const natural = data['isNatural'] === true;
  if (natural || using.length > 0) compareJoined(walk.analysis, left, right, { using, natural });
  walk.visit(data['quals'], place);
  const usingAlias = asText(asNode(data['join_using_alias'])['aliasname']);
  if (usingAlias !== '') {
    const columns = using.map((name) => ({ name, masked: null }));
    scope.sources.push(makeSource(usingAlias, columns));
  }
  const alias = aliasOf(data);
  if (alias === '') return [...left, ...right];
  // An alias on the join hides the names inside it; raw columns can't be reached through it.
  const hidden = new Set([...left, ...right]);
  const columns = [...hidden].flatMap((source) => source.columns);
  for (const source of hidden) source.uses.star = true;
  scope.sources = scope.sources.filter((source) => !hidden.has(source));
  const joined = makeSource(alias, renameColumns(columns, columnAliases(data)));
  scope.sources.push(joined);
  return [joined];
}
