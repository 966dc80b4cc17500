// Which datasets of a lens could be joined on what: pairs of columns of one datatype whose names speak for it, each with
// the evidence of a bounded read: how many of the one side's values the other side holds, and whether it holds each once.
import { guardSql } from '../../guard/guard-sql.ts';
import { governedRelations } from '../../lens/governed-relations.ts';
import type { Lens, LensDataset } from '../../lens/lens.ts';
import { sqlName } from '../../lens/sql-name.ts';
import { Problem } from '../../platform/problem.ts';
import type { Warehouse } from '../ports.ts';

export interface JoinCandidate {
  from: string;
  to: string;
  declared: boolean;
  values_checked: number;
  /** Share of the checked values that the other side holds. */
  inclusion: number | null;
  unique: boolean | null;
  confidence: 'high' | 'medium' | 'low';
  relationship: { name: string; from: string; to: string };
}
interface Side {
  dataset: LensDataset;
  column: string;
}
const PAIRS = 60;
const VALUES = 10_000;
const LIMITS = { maxRows: 1, maxBytes: 10_000, timeoutMs: 20_000 };
const EVERYONE = { name: 'svc', groups: [], attributes: {}, superuser: true };

export async function findJoinCandidates(
  lens: Lens,
  warehouse: Warehouse,
  report: (progress: { done: number; total: number }) => void,
  signal: AbortSignal,
): Promise<JoinCandidate[]> {
  const pairs = withDeclared(lens).slice(0, PAIRS);
  const found: JoinCandidate[] = [];
  for (const [done, { from, to }] of pairs.entries()) {
    signal.throwIfAborted();
    report({ done, total: pairs.length });
    const evidence = await weigh(lens, from, to, warehouse, signal);
    const [left, right] = [pathOf(from), pathOf(to)];
    const declared = lens.relationships.some(
      (one) =>
        one.from.dataset === from.dataset.name &&
        one.to.dataset === to.dataset.name &&
        one.from.columns.includes(from.column) &&
        one.to.columns.includes(to.column),
    );
    if (!declared && (evidence.inclusion ?? 0) < 0.5) continue;
    const confidence =
      evidence.unique && (evidence.inclusion ?? 0) >= 0.99
        ? 'high'
        : evidence.unique && (evidence.inclusion ?? 0) >= 0.9
          ? 'medium'
          : 'low';
    found.push({
      from: left,
      to: right,
      declared,
      ...evidence,
      confidence,
      relationship: { name: to.dataset.name, from: left, to: right },
    });
  }
  report({ done: pairs.length, total: pairs.length });
  return found.sort((a, b) => Number(b.unique) - Number(a.unique) || (b.inclusion ?? 0) - (a.inclusion ?? 0));
}

const pathOf = ({ dataset, column }: Side): string => `${dataset.name}.${column}`;
const stem = (name: string): string =>
  name
    .toLowerCase()
    .replace(/_?(id|key|code|no|number|name)$/, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');

/** Declared joins first: their evidence says whether they still hold. Keys that the lens does not list are not read. */
function withDeclared(lens: Lens): { from: Side; to: Side }[] {
  const side = (name: string, columns: string[]): Side | null => {
    const dataset = lens.datasets.find((one) => one.name === name);
    const field = dataset?.fields.find((one) => one.name === columns[0] && !one.masked);
    return dataset && field && columns.length === 1 ? { dataset, column: field.name } : null;
  };
  const declared = lens.relationships.flatMap(({ from, to }) => {
    const [many, one] = [side(from.dataset, from.columns), side(to.dataset, to.columns)];
    return many && one ? [{ from: many, to: one }] : [];
  });
  const known = new Set(declared.map(({ from, to }) => `${pathOf(from)} ${pathOf(to)}`));
  return [...declared, ...likelyPairs(lens).filter(({ from, to }) => !known.has(`${pathOf(from)} ${pathOf(to)}`))];
}

/** orders.customer_id -> customers.customer_id, customers.id, customers.customer; never masked or computed fields. */
export function likelyPairs(lens: Lens): { from: Side; to: Side }[] {
  const sides = lens.datasets.flatMap((dataset) =>
    dataset.fields
      .filter(
        ({ masked, expression, datatype }) =>
          !masked && !expression && (datatype === 'string' || datatype === 'integer'),
      )
      .map((field) => ({ dataset, column: field.name, datatype: field.datatype })),
  );
  return sides.flatMap((from) =>
    sides
      .filter(
        (to) =>
          to.dataset !== from.dataset &&
          to.datatype === from.datatype &&
          (to.column === from.column ||
            (/^(id|key|code|iata)$/i.test(to.column) && stem(from.column) === stem(to.dataset.name)) ||
            stem(from.column) === stem(to.dataset.name) ||
            (stem(from.column) !== '' && stem(from.column) === stem(to.column))),
      )
      .filter(
        (to) =>
          to.dataset.primaryKey.length === 0 || to.dataset.primaryKey.includes(to.column) || to.column === from.column,
      )
      .map((to) => ({ from, to })),
  );
}

async function weigh(
  lens: Lens,
  from: Side,
  to: Side,
  warehouse: Warehouse,
  signal: AbortSignal,
): Promise<Pick<JoinCandidate, 'values_checked' | 'inclusion' | 'unique'>> {
  const name = (text: string) => sqlName(lens.dialect, text);
  const [a, b] = [name(from.column), name(to.column)];
  const inclusion = `select count(*) as checked, count(r.k) as held from (select distinct ${a} as k from ${name(from.dataset.name)} where ${a} is not null limit ${VALUES}) as l
    left join (select distinct ${b} as k from ${name(to.dataset.name)} where ${b} is not null) as r on l.k = r.k`;
  const uniqueness = `select count(*) as filled, count(distinct ${b}) as kinds from ${name(to.dataset.name)} where ${b} is not null`;
  try {
    const [checked = 0, held = 0] = await numbers(lens, inclusion, warehouse, signal);
    const [filled = 0, kinds = 0] = await numbers(lens, uniqueness, warehouse, signal);
    return {
      values_checked: checked,
      inclusion: checked === 0 ? null : Math.round((held / checked) * 10_000) / 10_000,
      unique: filled > 0 && filled === kinds,
    };
  } catch (fault) {
    if (!(fault instanceof Problem) || fault.code === 'unreachable' || signal.aborted) throw fault;
    return { values_checked: 0, inclusion: null, unique: null };
  }
}

async function numbers(lens: Lens, sql: string, warehouse: Warehouse, signal: AbortSignal): Promise<number[]> {
  const statement = await guardSql(sql, {
    dialect: lens.dialect,
    relations: governedRelations(lens, EVERYONE),
    mode: 'govern',
    maxRows: 1,
  });
  const { rows } = await warehouse.fetch(statement, { ...LIMITS, signal });
  return (rows[0] ?? []).map(Number);
}
