// Lenses with ten different structures in three domains, for generated plans. No suite uses these names.
import type { Lens, LensDataset } from '../../src/lens/model/lens.ts';
import { caseRows } from './case-rows.ts';
import { datasetsOf, lens, metric, relation } from './planner-lenses.ts';

interface Trade {
  /** The dataset of an event. `line` is the dataset of its lines. */
  event: string;
  line: string;
  second: string;
  /** `who` is the dataset of the people, and `what` is the dataset of the things. */
  who: string;
  what: string;
  place: string;
  roles: [string, string];
  amount: string;
  size: string;
  begun: string;
  ended: string;
  state: [name: string, ...values: string[]];
  kind: [name: string, ...values: string[]];
  town: [name: string, ...values: string[]];
  region: [name: string, ...values: string[]];
  note: string;
  flag: string;
}
const TRADES: readonly Trade[] = caseRows<Trade>(import.meta.dirname, 'lens-shapes.jsonl');

const toSingular = (name: string): string => name.replace(/s$/, '');
const id = (name: string): string => `${toSingular(name)}_id`;
const coded = ([name, ...values]: [string, ...string[]]): string => `${name} string {values: [${values.join(', ')}]}`;
/** One line of lensText. `fields` follow the key, and `key` is its name with its datatype. */
const table = (name: string, fields: string, key = `${id(name)} integer`): string =>
  `  ${name}: main.${name} (${key} key, ${fields})`;

const events = (t: Trade, ...more: string[]): string =>
  table(
    t.event,
    `${t.begun} date time, ${t.ended} date, ${[coded(t.state), `${t.amount} decimal, duration integer, ${t.note} string`, ...more].join(', ')}`,
  );
const who = (t: Trade): string =>
  table(t.who, `${toSingular(t.who)}_name string, ${coded(t.town)}, wage decimal, phone string`);
const things = (t: Trade): string => table(t.what, `label string, ${coded(t.kind)}, ${t.size} integer`);
const places = (t: Trade): string =>
  table(t.place, `${toSingular(t.place)}_name string, ${coded(t.region)}, capacity integer`);
const tables = (...lines: string[]): LensDataset[] => datasetsOf(lines.join('\n'));
const relationTo = (from: string, target: string, role?: string) =>
  relation(from, role ? `${role}_id` : id(target), target, id(target), role);
const sum = (t: Trade) => metric(`billed_${t.amount}`, `sum(${t.event}.${t.amount})`, t.event);
const mean = (t: Trade) => metric('typical_duration', `avg(${t.event}.duration)`, t.event);

type Shape = (t: Trade) => Pick<Lens, 'datasets' | 'relationships' | 'metrics'>;
export const SHAPES: Readonly<Record<string, Shape>> = {
  'one table': (t) => ({
    datasets: tables(events(t, coded(t.town), coded(t.kind), `${t.size} integer`)),
    relationships: [],
    metrics: [sum(t)],
  }),
  star: (t) => ({
    datasets: tables(events(t), who(t), things(t)),
    relationships: [relationTo(t.event, t.who), relationTo(t.event, t.what)],
    metrics: [sum(t)],
  }),
  parents: (t) => ({
    datasets: tables(events(t), who(t), places(t)),
    relationships: [relationTo(t.event, t.who), relationTo(t.who, t.place)],
    metrics: [mean(t)],
  }),
  'two homes': (t) => ({
    datasets: tables(
      events(t),
      table(t.second, 'issued_on date time, penalty decimal, level string {values: [minor, grave]}'),
      who(t),
    ),
    relationships: [relationTo(t.event, t.who), relationTo(t.second, t.who)],
    metrics: [sum(t), metric('total_penalty', `sum(${t.second}.penalty)`, t.second)],
  }),
  roles: (t) => ({
    datasets: tables(events(t), places(t)),
    relationships: t.roles.map((role) => relationTo(t.event, t.place, role)),
    metrics: [sum(t)],
  }),
  lines: (t) => ({
    datasets: tables(
      events(t),
      table(t.line, 'pieces integer, grade string {values: [coarse, fine]}'),
      things(t),
      who(t),
    ),
    relationships: [relationTo(t.line, t.event), relationTo(t.line, t.what), relationTo(t.event, t.who)],
    metrics: [metric('pieces_handled', `sum(${t.line}.pieces)`, t.line)],
  }),
  dates: (t) => ({
    datasets: tables(
      events(t, 'planned_on date, noted_at datetime'),
      table(t.who, `${toSingular(t.who)}_name string, birthday date, ${coded(t.town)}`),
    ),
    relationships: [relationTo(t.event, t.who)],
    metrics: [],
  }),
  codes: (t) => ({
    datasets: tables(
      table(
        t.event,
        `${t.begun} date time, state_code string {values: [{value: A, synonyms: [${t.state[1]}]}, {value: B, synonyms: [${t.state[2]}]}]}, ${t.amount} decimal {unit: EUR}`,
        `${toSingular(t.event)}_code string`,
      ),
      table(t.what, `title string, ${coded(t.kind)}`, 'code string'),
    ),
    relationships: [relation(t.event, 'what_code', t.what, 'code')],
    metrics: [sum(t)],
  }),
  'booleans and years': (t) => ({
    datasets: tables(
      events(t, `${t.flag} boolean, charged boolean`),
      table(t.what, `label string, building_year integer, ${coded(t.kind)}`),
    ),
    relationships: [relationTo(t.event, t.what)],
    metrics: [sum(t)],
  }),
  metrics: (t) => ({
    datasets: tables(events(t), who(t)),
    relationships: [relationTo(t.event, t.who)],
    metrics: [
      sum(t),
      mean(t),
      metric(`${toSingular(t.event)}_volume`, `count(${t.event}.${id(t.event)})`, t.event, {
        synonyms: [`${t.event} handled`],
      }),
      metric('effort', `sum(${t.event}.duration)`, t.event, { filter: `${t.event}.duration > 0` }),
      metric('highest_wage', `max(${t.who}.wage)`, t.who),
    ],
  }),
};

/** Thirty lenses. */
export const shapedLenses = (): Lens[] =>
  Object.entries(SHAPES).flatMap(([shape, makeLens]) =>
    TRADES.map((trade) => lens(`${shape} of ${trade.event}`, makeLens(trade))),
  );
