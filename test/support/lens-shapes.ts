// Lenses with ten different structures in three domains, for generated plans. No suite uses these names.
import type { Lens, LensDataset, LensField } from '../../src/lens/model/lens.ts';
import { caseRows } from './case-rows.ts';
import { dataset, field, lens, metric, relation } from './planner-lenses.ts';

interface Trade {
  /** The dataset of an event. `line` is the dataset of its lines. */
  event: string;
  line: string;
  second: string;
  /** The dataset of the people. `what` is the dataset of the entities. */
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
const codedField = ([name, ...values]: [string, ...string[]], synonyms: string[] = []): LensField =>
  field(name, 'string', { values, synonyms });

const eventDataset = (t: Trade, extraFields: LensField[] = [], extra: Partial<LensDataset> = {}): LensDataset =>
  dataset(
    t.event,
    [id(t.event)],
    [
      field(id(t.event), 'integer'),
      field(t.begun, 'date'),
      field(t.ended, 'date'),
      codedField(t.state),
      field(t.amount, 'decimal'),
      field('duration', 'integer'),
      field(t.note, 'string'),
      ...extraFields,
    ],
    { timeField: t.begun, ...extra },
  );
const who = (t: Trade): LensDataset =>
  dataset(
    t.who,
    [id(t.who)],
    [
      field(id(t.who), 'integer'),
      field(`${toSingular(t.who)}_name`, 'string'),
      codedField(t.town),
      field('wage', 'decimal'),
      field('phone', 'string'),
    ],
  );
const thingDataset = (t: Trade): LensDataset =>
  dataset(
    t.what,
    [id(t.what)],
    [field(id(t.what), 'integer'), field('label', 'string'), codedField(t.kind), field(t.size, 'integer')],
  );
const placeDataset = (t: Trade): LensDataset =>
  dataset(
    t.place,
    [id(t.place)],
    [
      field(id(t.place), 'integer'),
      field(`${toSingular(t.place)}_name`, 'string'),
      codedField(t.region),
      field('capacity', 'integer'),
    ],
  );
const relationTo = (from: string, target: string, role?: string) =>
  relation(from, role ? `${role}_id` : id(target), target, id(target), role);
const sum = (t: Trade) => metric(`billed_${t.amount}`, `sum(${t.event}.${t.amount})`, t.event);
const mean = (t: Trade) => metric('typical_duration', `avg(${t.event}.duration)`, t.event);

type Shape = (t: Trade) => Pick<Lens, 'datasets' | 'relationships' | 'metrics'>;
export const SHAPES: Readonly<Record<string, Shape>> = {
  'one table': (t) => ({
    datasets: [eventDataset(t, [codedField(t.town), codedField(t.kind), field(t.size, 'integer')])],
    relationships: [],
    metrics: [sum(t)],
  }),
  star: (t) => ({
    datasets: [eventDataset(t), who(t), thingDataset(t)],
    relationships: [relationTo(t.event, t.who), relationTo(t.event, t.what)],
    metrics: [sum(t)],
  }),
  parents: (t) => ({
    datasets: [eventDataset(t), who(t), placeDataset(t)],
    relationships: [relationTo(t.event, t.who), relationTo(t.who, t.place)],
    metrics: [mean(t)],
  }),
  'two homes': (t) => ({
    datasets: [
      eventDataset(t),
      dataset(
        t.second,
        [id(t.second)],
        [
          field(id(t.second), 'integer'),
          field('issued_on', 'date'),
          field('penalty', 'decimal'),
          field('level', 'string', { values: ['minor', 'grave'] }),
        ],
        { timeField: 'issued_on' },
      ),
      who(t),
    ],
    relationships: [relationTo(t.event, t.who), relationTo(t.second, t.who)],
    metrics: [sum(t), metric('total_penalty', `sum(${t.second}.penalty)`, t.second)],
  }),
  roles: (t) => ({
    datasets: [eventDataset(t), placeDataset(t)],
    relationships: t.roles.map((role) => relationTo(t.event, t.place, role)),
    metrics: [sum(t)],
  }),
  lines: (t) => ({
    datasets: [
      eventDataset(t),
      dataset(
        t.line,
        [id(t.line)],
        [
          field(id(t.line), 'integer'),
          field('pieces', 'integer'),
          field('grade', 'string', { values: ['coarse', 'fine'] }),
        ],
      ),
      thingDataset(t),
      who(t),
    ],
    relationships: [relationTo(t.line, t.event), relationTo(t.line, t.what), relationTo(t.event, t.who)],
    metrics: [metric('pieces_handled', `sum(${t.line}.pieces)`, t.line)],
  }),
  dates: (t) => ({
    datasets: [
      eventDataset(t, [field('planned_on', 'date'), field('noted_at', 'datetime')]),
      dataset(
        t.who,
        [id(t.who)],
        [
          field(id(t.who), 'integer'),
          field(`${toSingular(t.who)}_name`, 'string'),
          field('birthday', 'date'),
          codedField(t.town),
        ],
      ),
    ],
    relationships: [relationTo(t.event, t.who)],
    metrics: [],
  }),
  codes: (t) => ({
    datasets: [
      dataset(
        t.event,
        [`${toSingular(t.event)}_code`],
        [
          field(`${toSingular(t.event)}_code`, 'string'),
          field(t.begun, 'date'),
          field('state_code', 'string', {
            values: [
              ['A', t.state[1]!],
              ['B', t.state[2]!],
            ],
          }),
          field(t.amount, 'decimal', { unit: 'EUR' }),
        ],
        { timeField: t.begun },
      ),
      dataset(t.what, ['code'], [field('code', 'string'), field('title', 'string'), codedField(t.kind)]),
    ],
    relationships: [relation(t.event, 'what_code', t.what, 'code')],
    metrics: [sum(t)],
  }),
  'booleans and years': (t) => ({
    datasets: [
      eventDataset(t, [field(t.flag, 'boolean'), field('charged', 'boolean')]),
      dataset(
        t.what,
        [id(t.what)],
        [field(id(t.what), 'integer'), field('label', 'string'), field('building_year', 'integer'), codedField(t.kind)],
      ),
    ],
    relationships: [relationTo(t.event, t.what)],
    metrics: [sum(t)],
  }),
  metrics: (t) => ({
    datasets: [eventDataset(t), who(t)],
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
