// Reads example rows for a fact, for the person who confirms it.
import type { Fact } from '../contract/mgmt/lenses.ts';
import type { LiveLens } from '../domain/lenses/lens-repository.ts';
import { findFactJoin } from '../lens/model/facts.ts';
import type { Lens, LensFact, LensField } from '../lens/model/lens.ts';
import { mapInParallel } from '../platform/schedule/in-parallel.ts';
import type { AskContext } from './entry-points.ts';
import type { UntracedAsk } from './untraced-ask.ts';

const READ_TIMEOUT_MS = 5_000; // time for all rows of one page
const MAX_COLUMNS = 4;

type SampleRows = NonNullable<Fact['sample_rows']>;

/**
 * Reads two rows for each fact, with the permissions of the person who confirms the fact. Facts with the same columns
 * share a query.
 */
export async function readSampleRows(
  untracedAsk: UntracedAsk,
  askContext: AskContext,
  liveLens: LiveLens,
  facts: readonly LensFact[],
): Promise<(fact: LensFact) => SampleRows | null> {
  const signal = AbortSignal.any([askContext.signal, AbortSignal.timeout(READ_TIMEOUT_MS)]);
  const context = { ...askContext, signal };
  const ask = untracedAsk(liveLens);
  const listings = new Map(
    facts.flatMap((fact) => {
      const listing = createSampleListing(liveLens.lens, fact);
      return listing ? [[JSON.stringify(listing), listing] as const] : [];
    }),
  );
  const samples = await mapInParallel(
    [...listings],
    3,
    async ([key, { rows, dimensions }]): Promise<[string, SampleRows | null]> => {
      if (signal.aborted) return [key, null];
      const body = { rows, dimensions, limit: 2, format: 'structured' as const };
      const envelope = await ask.metrics(context, liveLens.name, body).catch(() => null);
      return [key, envelope?.data ?? null];
    },
  );
  const samplesByKey = new Map(samples);
  return (fact) => samplesByKey.get(JSON.stringify(createSampleListing(liveLens.lens, fact))) ?? null;
}

/** The listing with the columns of a fact and the columns that identify the rows of its dataset. */
function createSampleListing(lens: Lens, fact: LensFact): { rows: string; dimensions: string[] } | null {
  const [name = '', fieldName = ''] = fact.of.split(', ')[0]!.split('.');
  const fieldsOf = (dataset: string, columns: readonly string[]): string[] => {
    const fields = lens.datasets.find((item) => item.name === dataset)?.fields ?? [];
    const columnFields = columns.flatMap((column) => {
      const matchesColumn = ({ name, expression }: LensField) =>
        (expression?.replace(/^["`[]|["`\]]$/g, '') ?? name) === column;
      return fields.find(matchesColumn) ?? fields.find(({ name }) => name === column) ?? [];
    });
    const texts = fields.filter(({ datatype }) => datatype === 'string');
    return [...new Set([...columnFields, ...texts].map((field) => field.name))];
  };
  const dataset = lens.datasets.find((dataset) => dataset.name === name);
  if (!dataset) return null;
  if (fact.kind === 'join') {
    const join = findFactJoin(lens, fact);
    if (!join) return null;
    const { from, to, role } = join;
    const sourceFields = fieldsOf(name, from.columns).slice(0, from.columns.length);
    const targetFields = fieldsOf(to.dataset, to.columns).slice(0, to.columns.length + 1);
    return {
      rows: name,
      dimensions: [
        ...sourceFields.map((field) => `${name}.${field}`),
        ...targetFields.map((field) => `${role}.${field}`),
      ],
    };
  }
  const factFields = fact.kind === 'key' || fact.kind === 'time_field' ? fact.says.split(', ') : [fieldName];
  const fieldNames = fieldsOf(name, [...factFields, ...dataset.primaryKey]).slice(
    0,
    Math.max(MAX_COLUMNS, factFields.length),
  );
  return fieldNames.length > 0 ? { rows: name, dimensions: fieldNames.map((field) => `${name}.${field}`) } : null;
}
