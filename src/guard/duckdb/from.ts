// FROM of DuckDB: tables, subqueries, VALUES, functions and joins, each with the columns it brings into scope.
import { type AstNode, asList, asNode, asText, replaceNode } from '../ast.ts';
import { commonTable } from '../common-tables.ts';
import { addSource, makeSource, type OutputColumn, type Source } from '../name-scope.ts';
import { resolveTable } from '../resolve-table.ts';
import { compareJoined } from '../unnamed-columns.ts';
import { isTextOfExpression } from '../use-column.ts';
import { inside, isTooDeep, onlyFields, type Place, type Walk, words } from '../walk.ts';
import { DUCKDB_FUNCTIONS, DUCKDB_TABLE_COLUMNS } from './functions.ts';

const fields = (more: string) => words(`type alias sample query_location ${more}`);
const TABLE_FIELDS = fields('schema_name table_name column_name_alias catalog_name at_clause');
const SUBQUERY_FIELDS = fields('subquery column_name_alias');
const VALUES_FIELDS = fields('values expected_names expected_types');
const FUNCTION_FIELDS = fields('function column_name_alias with_ordinality');
const JOIN_FIELDS = fields(
  'left right condition join_type ref_type using_columns delim_flipped duplicate_eliminated_columns',
);
const JOIN_KINDS = ['REGULAR', 'CROSS', 'NATURAL', 'ASOF'];

/** Brings the sources into scope and returns them. */
export function walkFrom(walk: Walk, value: unknown, place: Place): Source[] {
  const { analysis } = walk;
  const item = asNode(value);
  if (isTooDeep(walk, place.depth)) return [];
  if (item['sample']) analysis.construct('TABLESAMPLE');
  analysis.identifier(asText(item['alias']));
  const add = (source: Source | null): Source[] =>
    source ? addSource(analysis.faults, place.scope, source, asList(item['column_name_alias']).map(asText)) : [];
  switch (item['type']) {
    case 'EMPTY':
      return [];
    case 'BASE_TABLE':
      return add(table(walk, item, place));
    case 'SUBQUERY': {
      onlyFields(analysis, 'A subquery', item, SUBQUERY_FIELDS);
      const query = asNode(asNode(item['subquery'])['node']);
      // DuckDB lets a subquery in FROM see what stands before it.
      const before = analysis.size.reads;
      const columns = walk.query(query, inside(place, place.scope));
      analysis.size.derived(before);
      return add(makeSource(asText(item['alias']), columns, { open: isOpen(columns) }));
    }
    case 'EXPRESSION_LIST': {
      onlyFields(analysis, 'VALUES', item, VALUES_FIELDS);
      analysis.size.read(1);
      const rows = asList(item['values']);
      for (const row of rows) walk.visit(row, place);
      const columns = asList(rows[0]).map((_, index) => ({ name: `col${index}`, masked: null }));
      return add(makeSource(asText(item['alias']) || 'valueslist', columns));
    }
    case 'TABLE_FUNCTION':
      analysis.size.read(1);
      return add(tableFunction(walk, item, place));
    case 'JOIN':
      return join(walk, item, place);
    default:
      analysis.construct(item['type'] === 'SHOW_REF' ? 'DESCRIBE, SHOW or SUMMARIZE' : String(item['type']));
      return [];
  }
}

const isOpen = (columns: OutputColumn[]): boolean => columns.some(({ name }) => isTextOfExpression(name));

function table({ analysis }: Walk, item: AstNode, place: Place): Source | null {
  onlyFields(analysis, 'A table', item, TABLE_FIELDS);
  if (item['at_clause']) analysis.construct('AT (…)');
  const name = asText(item['table_name']);
  const catalog = asText(item['catalog_name']);
  const schema = asText(item['schema_name']);
  const alias = asText(item['alias']);
  for (const part of [name, catalog, schema]) analysis.identifier(part);
  if (schema === '' && catalog === '') {
    const cte = commonTable(analysis, place.ctes, analysis.fold(name), alias || name);
    if (cte) return { ...cte, open: isOpen(cte.columns) };
  }
  const source = resolveTable(analysis, { catalog, schema, table: name }, alias);
  if (source) {
    analysis.replaceLater(source, (body) => {
      const { column_name_alias, query_location } = item;
      const subquery = { node: body, named_param_map: [] };
      const named = { type: 'SUBQUERY', alias: alias || name, sample: null };
      replaceNode(item, { ...named, query_location, subquery, column_name_alias });
    });
  }
  return source;
}

function tableFunction(walk: Walk, item: AstNode, place: Place): Source {
  onlyFields(walk.analysis, 'A function in FROM', item, FUNCTION_FIELDS);
  const call = asNode(item['function']);
  if (call['class'] !== 'FUNCTION') walk.analysis.construct('This function in FROM');
  walk.visit(call, place);
  const alias = asText(item['alias']);
  const name = asText(call['function_name']).toLowerCase();
  const columns = DUCKDB_TABLE_COLUMNS.get(name);
  // A harmless function may have a namesake here: histogram('t', c) reads the table t.
  if (!columns && DUCKDB_FUNCTIONS.has(name))
    walk.analysis.faults.add('function', `The function ${name} is not allowed in FROM.`);
  const names = [...(columns ?? [])];
  if (item['with_ordinality'] !== 'WITHOUT_ORDINALITY') names.push('ordinality');
  // The alias of a function names its one value too.
  if (alias !== '' && asList(item['column_name_alias']).length === 0) names.push(alias);
  return makeSource(
    alias || name,
    names.map((column) => ({ name: column, masked: null })),
  );
}

function join(walk: Walk, item: AstNode, place: Place): Source[] {
  const { analysis } = walk;
  onlyFields(analysis, 'A join', item, JOIN_FIELDS);
  const deeper = { ...place, depth: place.depth + 1 };
  const left = walkFrom(walk, item['left'], deeper);
  const right = walkFrom(walk, item['right'], deeper);
  const kind = asText(item['ref_type']);
  if (!JOIN_KINDS.includes(kind)) analysis.construct(`A ${kind} join`);
  if (asText(item['alias']) !== '') analysis.construct('An alias on a join');
  const using = asList(item['using_columns']).map(asText);
  const natural = kind === 'NATURAL';
  if (natural || using.length > 0) compareJoined(analysis, left, right, { using, natural });
  walk.visit(item['condition'], { ...place, outputs: 'no' });
  return [...left, ...right];
}
