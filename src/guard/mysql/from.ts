// FROM of MySQL: tables, subqueries and joins, each with the columns it brings into scope.
import { type AstNode, asList, asNode, asText, isNode } from '../ast.ts';
import { commonTable } from '../common-tables.ts';
import { makeSource, type Source } from '../name-scope.ts';
import { resolveTable } from '../resolve-table.ts';
import { compareJoined } from '../unnamed-columns.ts';
import { inside, type Place, type Walk } from '../walk.ts';
import { nameIn, onlyFieldsOf, take } from './fields.ts';
import { spoken } from './nodes.ts';
import { isEmpty } from './shapes.ts';

const JOIN_KINDS = ['Inner', 'Left', 'Right', 'Cross', 'Implicit', 'Natural', 'NaturalLeft'];

export function walkFromClause(walk: Walk, select: AstNode, place: Place): void {
  const { analysis } = walk;
  const before = analysis.size.reads;
  if (isNode(select['from'])) {
    onlyFieldsOf(analysis, 'from', 'FROM', select['from']);
    for (const item of asList(select['from']['expressions'])) walkItem(walk, item, place);
  }
  for (const one of asList(select['joins'])) join(walk, asNode(one), place);
  analysis.size.joined(before);
}

function walkItem(walk: Walk, item: unknown, place: Place): Source[] {
  const { analysis } = walk;
  const wrapped = asNode(item);
  const [kind, data] = take(analysis, wrapped);
  const alias = isNode(data['alias']) ? nameIn(analysis, data['alias']) : '';
  if (kind === 'table') {
    const source = table(walk, wrapped, data, alias, place);
    return source ? add(walk, source, place) : [];
  }
  if (kind === 'subquery') {
    onlyFieldsOf(analysis, 'subquery', 'A subquery in FROM', data);
    if (alias === '') analysis.faults.add('alias', 'A subquery in FROM needs an alias.');
    const before = analysis.size.reads;
    const columns = walk.query(asNode(data['this']), inside(place, place.scope.parent));
    analysis.size.derived(before);
    return add(walk, makeSource(alias, columns), place);
  }
  if (kind === 'joined_table') {
    onlyFieldsOf(analysis, 'joined_table', 'A join', data);
    const sources = walkItem(walk, data['left'], place);
    for (const one of asList(data['joins'])) sources.push(...join(walk, asNode(one), place));
    return sources;
  }
  analysis.construct(`${spoken(kind)} in FROM`);
  return [];
}

function add({ analysis }: Walk, source: Source, { scope }: Place): Source[] {
  analysis.identifier(source.alias);
  if (scope.sources.some(({ alias }) => analysis.same(alias, source.alias))) {
    analysis.faults.add('alias', `Two tables of one FROM are called ${source.alias}; name them apart.`);
  }
  scope.sources.push(source);
  return [source];
}

function table({ analysis }: Walk, wrapped: AstNode, data: AstNode, alias: string, place: Place): Source | null {
  onlyFieldsOf(analysis, 'table', 'A table', data);
  const name = nameIn(analysis, data['name']);
  const schema = isNode(data['schema']) ? nameIn(analysis, data['schema']) : '';
  if (schema === '') {
    const cte = commonTable(analysis, place.ctes, name, alias || name);
    if (cte) return cte;
    if (analysis.cteNames.has(analysis.fold(name))) {
      // A server may compare these names without case, or look for them elsewhere: then it would be another table.
      analysis.faults.add('cte_name', `Rename ${name} in WITH: it is also read as a table.`);
    }
  }
  const source = resolveTable(analysis, { catalog: '', schema, table: name }, alias);
  if (source) {
    analysis.replaceLater(source, (body) => {
      delete wrapped['table'];
      wrapped['subquery'] = { this: structuredClone(body), alias: { name: alias || name } };
    });
  }
  return source;
}

function join(walk: Walk, node: AstNode, place: Place): Source[] {
  const { analysis } = walk;
  onlyFieldsOf(analysis, 'join', 'A join', node);
  const kind = asText(node['kind']);
  const left = [...place.scope.sources];
  const right = walkItem(walk, node['this'], place);
  if (!JOIN_KINDS.includes(kind)) analysis.construct(`${kind.toUpperCase()} JOIN`);
  const using = asList(node['using']).map((column) => nameIn(analysis, column));
  const natural = kind.startsWith('Natural');
  if (natural || using.length > 0) compareJoined(analysis, left, right, { using, natural });
  if (!isEmpty(node['on'])) walk.visit(node['on'], place);
  return right;
}
