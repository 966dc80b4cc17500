// Generates docs/lens-file.md from the schema of lens.yaml and from examples that a test applies.
import { z } from 'zod';
import { lensFileSchema } from '../../src/contract/files/lens-file.ts';

interface Shape {
  type?: string;
  description?: string;
  default?: unknown;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Shape[];
  items?: Shape;
  properties?: Record<string, Shape>;
  additionalProperties?: Shape | false;
  required?: string[];
}
export interface Section {
  title: string;
  about: string;
  shape: Shape;
  /**
   * A part of a lens over the sample project. Members with the same name replace or extend those of the sample lens.
   */
  lens: 'superstore' | 'flights';
  example: string;
}

const root = z.toJSONSchema(lensFileSchema, { io: 'input', unrepresentable: 'any' }) as Shape;
const member = (shape: Shape, name: string): Shape => shape.properties![name]!;
const eachOf = (shape: Shape): Shape => shape.items ?? (shape.additionalProperties as Shape);
const [dataset, entity] = eachOf(member(root, 'datasets')).anyOf!;
const definition = eachOf(member(root, 'definitions'));

export const SECTIONS: Section[] = [
  {
    title: 'The lens',
    about: 'The following members are at the top level of `lens.yaml`.',
    shape: root,
    lens: 'superstore',
    example: `title: Sales
description: Order lines of a US retailer.
timezone: America/New_York
max_rows_to_return: 500
max_rows_to_compose: 100
data_as_of: {field: orders.order_date}
fresh_for: P100Y
sample_questions: [What was revenue by region in 2016?]
filler_words: [roughly]`,
  },
  {
    title: 'data_as_of',
    about: 'Set exactly one of the following members. Answers report the time of the newest data as `data_as_of`.',
    shape: { properties: Object.assign({}, ...member(root, 'data_as_of').anyOf!.map(({ properties }) => properties)) },
    lens: 'superstore',
    example: `data_as_of: {sql: "select max(order_date) from main.orders"}`,
  },
  {
    title: 'datasets',
    about: 'A dataset is a table with the fields that callers may use.',
    shape: dataset!,
    lens: 'superstore',
    example: `datasets:
  orders:
    source: main.orders
    description: One row per order line.
    synonyms: [order lines]
    primary_key: [row_id]
    time_field: order_date
    fields:
      row_id: {datatype: integer}
      order_date: {datatype: date}`,
  },
  {
    title: 'datasets: entity',
    about:
      'Instead of a table, a dataset can include an entity of `semantic/entities.yaml`, which several lenses share.',
    shape: entity!,
    lens: 'superstore',
    example: '',
  },
  {
    title: 'fields',
    about: 'A field is a column of the table, or an expression over its columns.',
    shape: eachOf(member(dataset!, 'fields')),
    lens: 'superstore',
    example: `datasets:
  orders:
    fields:
      customer_name: {datatype: string, mask: true}
      region:
        datatype: string
        description: Sales region.
        synonyms: [area]
        values: [{value: West, synonyms: [pacific]}, East, Central, South]
      discount: {datatype: decimal, aggregation: average}
      days_to_ship: {expression: ship_date - order_date, datatype: integer, unit: days}`,
  },
  {
    title: 'relationships',
    about:
      'A relationship joins many rows to one row. If a relationship has no name, its role is the name of the dataset on the "one" side.',
    shape: eachOf(member(root, 'relationships')),
    lens: 'flights',
    example: `relationships:
  - {name: origin, from: flights.origin, to: airports.iata}
  - {name: destination, from: flights.destination, to: airports.iata}`,
  },
  {
    title: 'metrics',
    about:
      'A metric is an approved measure. Sums, averages and counts of fields need no metric. If a metric combines metrics with different dates, ask for the metric without a period.',
    shape: eachOf(member(root, 'metrics')),
    lens: 'superstore',
    example: `metrics:
  west_revenue:
    expression: sum(orders.sales)
    filter: orders.region = 'West'
    description: Sales in the West after discount.
    synonyms: [western sales]
    unit: USD
    datatype: decimal
    time_field: orders.order_date
  lines_in_all: {expression: count(*), dataset: orders, description: Order lines.}
  west_share: {expression: "metric(west_revenue) / nullif(metric(revenue), 0)", description: Share of the West.}`,
  },
  {
    title: 'definitions',
    about:
      'A definition explains a governed term. The term can mean a metric, a field or a condition. A definition can also consist of text only.',
    shape: definition,
    lens: 'superstore',
    example: `definitions:
  - term: large order line
    synonyms: [big line]
    meaning: An order line with sales of at least 1,000 USD.
    filter: orders.sales >= 1000
  - {term: takings, meaning: Sales after discount., metric: revenue}
  - {term: customer kind, meaning: The segment of the customer., field: orders.segment}`,
  },
  {
    title: 'definitions: senses',
    about: 'A term can have several meanings. If a question uses the term alone, svc asks which meaning to use.',
    shape: eachOf(member(definition, 'senses')),
    lens: 'superstore',
    example: `definitions:
  - term: result
    senses:
      - {key: gross, label: Revenue, meaning: Sales after discount., metric: revenue}
      - {key: net, label: Profit, meaning: Profit after discount., metric: profit}`,
  },
  {
    title: 'row_policies',
    about: 'A row policy hides rows from callers. See [Row policies](row-policies.md).',
    shape: eachOf(member(root, 'row_policies')),
    lens: 'superstore',
    example: `row_policies:
  - {name: own-region, dataset: orders, filter: "orders.region = {caller.region}", groups: [field]}`,
  },
  {
    title: 'grants',
    about: 'A caller has the grants from files, from groups and from the API.',
    shape: member(root, 'grants'),
    lens: 'superstore',
    example: `grants: {callers: [local], groups: [field]}`,
  },
  {
    title: 'facts',
    about: 'svc writes the facts of a draft. See [From draft to trusted lens](draft-to-lens.md).',
    shape: eachOf(member(root, 'facts')),
    lens: 'superstore',
    example: `facts:
  - {kind: time_field, of: orders, says: order_date, origin: confirmed, evidence: its name, by: ada, at: 2026-11-23}`,
  },
];

function typeWords(shape: Shape): string {
  if (shape.enum) return shape.enum.map((item) => `\`${String(item)}\``).join(', ');
  if (shape.const !== undefined) return `\`${String(shape.const)}\``;
  if (shape.anyOf) return [...new Set(shape.anyOf.map(typeWords))].join(' or ');
  if (shape.type === 'array') return `list of ${typeWords(shape.items!)}`;
  if (shape.type === 'object') return shape.additionalProperties ? 'map by name' : 'object';
  return shape.type === 'string' ? 'text' : (shape.type ?? 'value');
}

function row([name, shape]: [string, Shape], required: string[]): string {
  const { default: usual } = shape;
  const defaultText =
    usual !== undefined && !/^(\[\]|\{.*\})$/.test(JSON.stringify(usual)) ? ` Default: \`${String(usual)}\`.` : '';
  const text = (shape.description ?? '').replaceAll('|', '\\|');
  return `| \`${name}\`${required.includes(name) ? ' (required)' : ''} | ${typeWords(shape)} | ${text}.${defaultText} |`;
}

export function pageOfLensFile(): string {
  const sections = SECTIONS.map(({ title, about, shape, example }) => {
    const rows = Object.entries(shape.properties!).map((item) => row(item, shape.required ?? []));
    const code = example === '' ? '' : `\n\`\`\`yaml\n${example}\n\`\`\`\n`;
    return `## ${title}\n${about}\n\n| member | type | meaning |\n|---|---|---|\n${rows.join('\n')}\n${code}`;
  });
  return `# Lens file reference

A lens is the file \`lenses/<name>/lens.yaml\` of a [project](configuration.md). This page lists all members. The
schema is at \`/schemas/lens.json\` of a running server, and editors can use it for completion. Unknown members are
errors. Without a server, \`npx svc check .\` checks the project and lists each problem with its line. The examples
come from the lenses in the sample project.

${sections.join('\n')}`;
}
