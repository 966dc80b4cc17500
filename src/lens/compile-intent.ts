// Intent -> SQL over a lens, for one asker. Deterministic to the byte; every value is one literal; nothing fans out.

import { type ScopeFilter, scopeFilters } from './applied-scope.ts';
import { Compilation, type CompiledColumn, type CompiledLiteral, type QueryText } from './compilation.ts';
import { compileListing } from './compile-listing.ts';
import { compileMeasures } from './compile-measures.ts';
import type { Intent } from './intent.ts';
import type { Asker, Lens } from './lens.ts';

export interface CompiledQuery {
  sql: string;
  columns: CompiledColumn[];
  literals: CompiledLiteral[];
  /** Physical columns outside the listed fields that the text reads: keys and what field expressions are made of. */
  extraColumns: string[];
  filters: ScopeFilter[];
  time: { field: string; from: string; to: string } | null;
  rowPolicies: string[];
  masks: string[];
  /** `orders.customer_id = customers.customer_id as customer`. */
  joins: string[];
  datasetsUsed: string[];
  metricsUsed: string[];
  notes: string[];
  ordered: boolean;
  listing: boolean;
}
export interface CompileOptions {
  /** Rows that will be fetched; the text asks for one more, to know that there is more. */
  maxRows: number;
  now?: Date;
}
export function compileIntent(lens: Lens, intent: Intent, asker: Asker, options: CompileOptions): CompiledQuery {
  const compilation = new Compilation(lens, asker);
  const listing = intent.measures.length === 0 && !intent.grouped;
  const rows = intent.limit === null ? options.maxRows + 1 : Math.min(intent.limit, options.maxRows + 1);
  const limit = intent.offset ? `${rows} offset ${intent.offset}` : String(rows);
  if (listing && intent.dimensions.length === 0) compilation.fault('Name at least one metric or dimension.', 'metrics');
  if (listing && intent.having.length > 0)
    compilation.fault('A condition on groups needs a metric in the result.', 'filters');
  compilation.settle();
  const text = listing ? compileListing(compilation, intent, limit) : compileMeasures(compilation, intent, limit);
  compilation.settle();
  const { time } = intent;
  return {
    ...(text as QueryText),
    literals: compilation.literals,
    extraColumns: [...compilation.extraColumns].sort(),
    filters: scopeFilters(intent),
    time: time && { field: `${time.field.path}.${time.field.field}`, from: time.from, to: time.to },
    rowPolicies: [...compilation.policies],
    masks: [...compilation.masks],
    joins: [...compilation.joins],
    datasetsUsed: [...compilation.datasets],
    metricsUsed: [...compilation.metrics],
    notes: [...compilation.notes],
    listing,
  };
}
