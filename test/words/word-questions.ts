// Questions with a restricting or quantifying word in every natural position, with the expected rows as SQL.
import type { Attribute, Linked, Measure, World } from './worlds.ts';

export interface WordQuestion {
  world: World;
  word: string;
  q: string;
  /**
   * SQL for each right answer. If empty, svc must ask for clarification or decline, because the question has several
   * meanings.
   */
  truths: string[];
}

const ONLY = ['only', 'just', 'solely', 'exclusively', 'merely', 'purely', 'nothing but'];
const EXCEPT = ['except', 'excluding', 'other than', 'apart from', 'aside from', 'but not', 'without', 'not'];
const TIMES: readonly (readonly [said: string, by: number])[] = [
  ['{} times 2', 2],
  ['{} times 3', 3],
  ['2 times the {}', 2],
  ['twice the {}', 2],
  ['double the {}', 2],
  ['triple the {}', 3],
  ['half the {}', 0.5],
  ['{} x 2', 2],
  ['{} multiplied by 4', 4],
];
const UNSAID = ['mostly', 'mainly', 'always', 'almost only', 'hardly any', 'not only', 'half'];

const quoteText = (value: string | number): string => (typeof value === 'number' ? String(value) : `'${value}'`);
const oneOf = (column: string, values: readonly string[]): string =>
  `${column} in (${values.map(quoteText).join(', ')})`;

// ---- entities and their rows ----

type Having = (test: string) => string;
/** At least one row matches, and every row matches. */
const everyRow: Having = (test) =>
  `count(*) filter (where ${test}) > 0 and count(*) filter (where (${test}) is not true) = 0`;
const someRow: Having = (test) => `count(*) filter (where ${test}) > 0`;
const keysWith = ({ rows }: Pick<Linked, 'rows'>, having: string): string =>
  `select key from ${rows} as r where key is not null group by key having ${having}`;

interface Asked {
  (link: Pick<Linked, 'things' | 'all'>, said: string): string;
  of(link: Pick<Linked, 'all'>, keys: string, negated?: boolean): string;
}
const inWhich = ({ all }: Pick<Linked, 'all'>, keys: string, negated: boolean): string =>
  `from ${all} as t where key ${negated ? 'not in' : 'in'} (${keys})`;
const howMany: Asked = Object.assign(
  ({ things }: Pick<Linked, 'things'>, said: string) => `how many ${things} ${said}`,
  {
    of: (link: Pick<Linked, 'all'>, keys: string, negated = false) => `select count(*) ${inWhich(link, keys, negated)}`,
  },
);
const whichThings: Asked = Object.assign(
  ({ things }: Pick<Linked, 'things'>, said: string) => `which ${things} ${said}`,
  {
    of: (link: Pick<Linked, 'all'>, keys: string, negated = false) => `select shown ${inWhich(link, keys, negated)}`,
  },
);
const list: Asked = Object.assign(
  ({ things }: Pick<Linked, 'things'>, said: string) => `list the ${things} that ${said}`,
  { of: whichThings.of },
);

function* ofThings(world: World, countedEntities: Linked): Generator<WordQuestion> {
  let link = countedEntities;
  const { attribute, said } = link;
  const { column, name, names, values } = attribute;
  const phraseWith = (valuePhrase: string): string => said.replace('{}', valuePhrase);
  const count = `count(distinct ${column})`;
  const everyOne = `${count} = (select ${count} from ${link.rows} as every_one)`;
  const [first, second] = values as [string, string];
  for (const ask of [howMany, whichThings, list]) {
    if (ask !== howMany && countedEntities.listed === null) continue;
    link = ask === howMany ? countedEntities : { ...countedEntities, ...countedEntities.listed };
    const make = (word: string, phrase: string, truths: string[]): WordQuestion => ({
      ...{ world, word, q: ask(link, phrase), truths },
    });
    for (const value of values) {
      const test = `${column} = ${quoteText(value)}`;
      const is = ask.of(link, keysWith(link, everyRow(test)));
      const not = ask.of(link, keysWith(link, someRow(test)), true);
      for (const word of ONLY) yield make(word, phraseWith(`${word} ${attribute.at(value)}`), [is]);
      for (const word of ONLY.slice(0, 4)) {
        yield make(word, phraseWith(`${attribute.at(value)} ${word}`), /\{\} \w/.test(said) ? [] : [is]);
        if (!/^(?:are|were) /.test(said)) yield make(word, `${word} ${phraseWith(attribute.at(value))}`, [is]);
        yield make(word, `${phraseWith(attribute.at(value))} ${word} in 2023`, []);
      }
      for (const word of UNSAID) yield make(word, phraseWith(`${word} ${attribute.at(value)}`), []);
      yield make('all', phraseWith(`all ${attribute.at(value)}`), said.startsWith('are') ? [is] : []);
      yield make('every', phraseWith(`every ${attribute.at(value)}`), []);
      yield make('never', `never ${phraseWith(attribute.at(value))}`, [not]);
      yield make('no', phraseWith(`no ${attribute.at(value)}`), [not]);
      yield make('anything except', phraseWith(`anything except ${attribute.at(value)}`), []);
      yield make('everything but', phraseWith(`everything but ${attribute.at(value)}`), []);
      yield make('twice', `${phraseWith(attribute.at(value))} twice`, []);
      yield make('times', `${phraseWith(attribute.at(value))} 2 times`, []);
      yield make('only once', `${phraseWith(attribute.at(value))} only once`, []);
    }
    for (const word of [
      `every ${name}`,
      `all ${names}`,
      `each ${name}`,
      `each of the ${names}`,
      `all of the ${names}`,
    ]) {
      const place = attribute.at('@');
      const phrase = phraseWith(place.replace(/(?:the )?@/, word));
      // A list by region also answers "how many customers in each region".
      const grouped = `select ${column}, count(distinct key) from ${link.rows} as r group by 1`;
      const isGroupedList = /\b(?:in|by|for|on|of)\b/.test(place) && ask === howMany && !word.startsWith('all');
      yield make(word.split(' ')[0]!, phrase, [
        ask.of(link, keysWith(link, everyOne)),
        ...(isGroupedList ? [grouped] : []),
      ]);
    }
    for (const [one, other] of pairs(values)) {
      const [a, b] = [`${column} = ${quoteText(one)}`, `${column} = ${quoteText(other)}`];
      const bothQuery = ask.of(link, keysWith(link, `${someRow(a)} and ${someRow(b)}`));
      const [here, there] = [attribute.at(one), attribute.at(other)];
      yield make('both', phraseWith(`both ${here} and ${there}`), [bothQuery]);
      yield make('and', phraseWith(`${here} and ${there}`), [bothQuery]);
      yield make('only and', phraseWith(`only ${here} and ${there}`), []);
      yield make('either', phraseWith(`either ${here} or ${there}`), [
        ask.of(link, keysWith(link, someRow(`${a} or ${b}`))),
      ]);
      yield make('neither', phraseWith(`neither ${here} nor ${there}`), [
        ask.of(link, keysWith(link, someRow(`${a} or ${b}`)), true),
      ]);
      yield make('only or', phraseWith(`only ${here} or ${there}`), [
        ask.of(link, keysWith(link, everyRow(`${a} or ${b}`))),
      ]);
    }
    yield make('only', `${phraseWith(attribute.at(first))} and only ${attribute.at(second)}`, []);
  }
  const total = `select count(*) from ${countedEntities.all} as t`;
  yield { world, word: 'all', q: `how many ${link.things} are there in all`, truths: [total] };
  yield { world, word: 'all', q: `number of all ${link.things}`, truths: [total] };
  if (countedEntities.listed === null) return;
  // Before the counted noun, these words don't restrict the values.
  const matchingKeys = keysWith(link, someRow(`${column} = ${quoteText(first)}`));
  const plainly = phraseWith(attribute.at(first));
  for (const word of ['only', 'just'])
    yield {
      ...{ world, word, q: `list ${word} the ${link.things} that ${plainly}` },
      truths: [whichThings.of(link, matchingKeys)],
    };
  for (const word of ['all', 'all the', 'all of the', 'every one of the'])
    yield {
      world,
      word: 'all',
      q: `list ${word} ${link.things} that ${plainly}`,
      truths: [whichThings.of(link, matchingKeys)],
    };
}

const pairs = (values: readonly string[]): [string, string][] =>
  values.slice(1).map((value, at) => [values[at]!, value]);

function* ofYears(world: World, datedEntities: World['dated'][number]): Generator<WordQuestion> {
  let link = datedEntities;
  const phraseWith = (valuePhrase: string): string => link.said.replace('{}', valuePhrase);
  const year = 'extract(year from day)';
  for (const ask of [howMany, whichThings]) {
    if (ask !== howMany && datedEntities.listed === null) continue;
    link = ask === howMany ? datedEntities : { ...datedEntities, ...datedEntities.listed };
    const make = (word: string, phrase: string, truths: string[]): WordQuestion => ({
      ...{ world, word, q: ask(link, phrase), truths },
    });
    for (const item of link.years) {
      const test = `${year} = ${item}`;
      const is = ask.of(link, keysWith(link, everyRow(test)));
      for (const word of ONLY.slice(0, 6)) yield make(word, phraseWith(`${word} in ${item}`), [is]);
      for (const word of ONLY.slice(0, 4)) yield make(word, phraseWith(`in ${item} ${word}`), [is]);
      for (const word of UNSAID) yield make(word, phraseWith(`${word} in ${item}`), []);
      yield make('never', phraseWith(`never in ${item}`), [ask.of(link, keysWith(link, someRow(test)), true)]);
      yield make('except', phraseWith(`every year except ${item}`), []);
      yield make('all', phraseWith(`all in ${item}`), []);
    }
    const [one, other] = link.years as [number, number];
    const [a, b] = [`${year} = ${one}`, `${year} = ${other}`];
    yield make('both', phraseWith(`in both ${one} and ${other}`), [
      ask.of(link, keysWith(link, `${someRow(a)} and ${someRow(b)}`)),
    ]);
    yield make('neither', phraseWith(`in neither ${one} nor ${other}`), [
      ask.of(link, keysWith(link, someRow(`${a} or ${b}`)), true),
    ]);
    const everyYear = `count(distinct ${year}) = (select count(distinct ${year}) from ${link.rows} as every_one)`;
    const each1 = `select date_trunc('year', day), count(distinct key) from ${link.rows} as r group by 1`;
    for (const word of ['every', 'each'])
      yield make(word, phraseWith(`in ${word} year`), [
        ask.of(link, keysWith(link, everyYear)),
        ...(ask === howMany ? [each1] : []),
      ]);
    yield make('all', phraseWith('in all years'), [ask.of(link, keysWith(link, everyYear))]);
  }
}

// ---- measured rows ----

function* ofMeasures(world: World, measure: Measure, attribute: Attribute): Generator<WordQuestion> {
  const { column, name, names, values } = attribute;
  const value = (condition: string): string => `select ${measure.sql} from ${world.rows} where ${condition}`;
  const make = (word: string, q: string, truths: string[]): WordQuestion => ({ world, word, q, truths });
  const m = measure.name;
  const by = `select ${column}, ${measure.sql} from ${world.rows} group by 1`;
  for (const item of values) {
    const at = attribute.at(item);
    const test = `${column} = ${quoteText(item)}`;
    const not = [value(`${column} is distinct from ${quoteText(item)}`), value(`${column} <> ${quoteText(item)}`)];
    for (const word of ONLY.slice(0, 4)) {
      yield make(word, `${m} ${word} ${at}`, [value(test)]);
      yield make(word, `${m} ${at} ${word}`, [value(test)]);
      yield make(word, `${word} ${m} ${at}`, [value(test)]);
      yield make(word, `${m} by ${name} ${word} ${at}`, [`${by.replace(' group by', ` where ${test} group by`)}`]);
      yield make(word, `${m} by ${name} for ${word} ${item}`, [
        `${by.replace(' group by', ` where ${test} group by`)}`,
      ]);
    }
    for (const word of UNSAID) yield make(word, `${m} ${word} ${at}`, []);
    yield make('all', `all ${m} ${at}`, [value(test)]);
    for (const word of EXCEPT) {
      yield make(word, `${m} ${word} ${at}`, not);
      yield make(word, `${m} by ${name} ${word} ${item}`, [
        `select ${column}, ${measure.sql} from ${world.rows} where ${column} is distinct from ${quoteText(item)} group by 1`,
        `select ${column}, ${measure.sql} from ${world.rows} where ${column} <> ${quoteText(item)} group by 1`,
      ]);
    }
    yield make('all but', `${m} for all ${names} but ${item}`, []);
    yield make('all except', `${m} for all ${names} except ${item}`, [
      ...not,
      `select ${column}, ${measure.sql} from ${world.rows} where ${column} is distinct from ${quoteText(item)} group by 1`,
    ]);
    for (const [said, times] of TIMES)
      yield make('times', `${said.replace('{}', m)} ${at}`, [
        `select ${measure.sql} * ${times} from ${world.rows} where ${test}`,
      ]);
  }
  for (const [said, times] of TIMES)
    yield make('times', `what is ${said.replace('{}', m)}`, [`select ${measure.sql} * ${times} from ${world.rows}`]);
  for (const word of ['every', 'each'])
    for (const link of ['in', 'for']) yield make(word, `${m} ${link} ${word} ${name}`, [by]);
  yield make('each', `${m} for each of the ${names}`, [by]);
  const total = `select ${measure.sql} from ${world.rows}`;
  for (const word of ['all', 'all the', 'all of the'])
    for (const link of ['in', 'for']) yield make('all', `${m} ${link} ${word} ${names}`, [total, by]);
  yield make('only', `only the top 2 ${names} by ${m}`, [
    `select ${column}, ${measure.sql} from ${world.rows} group by 1 order by 2 desc limit 2`,
  ]);
  yield make('just', `${m} by just ${name}`, [by]);
  yield make('only', `${m} by ${name} only`, [by]);
  for (const [one, other] of pairs(values)) {
    const union = value(oneOf(column, [one, other]));
    const apart = `${by.replace(' group by', ` where ${oneOf(column, [one, other])} group by`)}`;
    const [here, there] = [attribute.at(one), attribute.at(other)];
    yield make('both', `${m} ${attribute.at(`both ${one}`).replace('the both', 'both the')} and ${other}`, [
      union,
      apart,
    ]);
    yield make('and', `${m} ${here} and ${other}`, [union, apart]);
    yield make('and', `${m} ${here} and ${there}`, [union, apart]);
    yield make('either', `${m} either ${here} or ${there}`, [union]);
    yield make('neither', `${m} ${attribute.at(`neither ${one}`).replace('the neither', 'neither')} nor ${other}`, [
      value(`not coalesce(${oneOf(column, [one, other])}, false)`),
      value(`not ${oneOf(column, [one, other])}`),
    ]);
    yield make('each of', `${m} for each of ${one} and ${other}`, [apart]);
  }
  for (const other of world.attributes)
    if (other !== attribute)
      for (const one of values.slice(0, 2))
        for (const two of other.values) {
          // If no row has both values, the question makes no sense.
          const both = `${column} = ${quoteText(one)} and ${other.column} = ${quoteText(two)}`;
          yield make('and', `${m} ${attribute.at(one)} and ${two}`, [
            `select ${measure.sql} from ${world.rows} where ${both} having count(*) > 0`,
          ]);
        }
}

function* ofRows(world: World, attribute: Attribute): Generator<WordQuestion> {
  const { column, values } = attribute;
  const count = (where: string): string[] => [`select count(*) from ${world.rows} where ${where}`];
  const make = (word: string, q: string, truths: string[]): WordQuestion => ({ world, word, q, truths });
  for (const value of values) {
    const test = `${column} = ${quoteText(value)}`;
    for (const word of ONLY.slice(0, 4))
      yield make(word, `how many ${world.rowsName} are ${word} ${attribute.at(value)}`, count(test));
    for (const word of EXCEPT)
      yield make(word, `how many ${world.rowsName} ${word} ${attribute.at(value)}`, [
        ...count(`${column} is distinct from ${quoteText(value)}`),
        ...count(`${column} <> ${quoteText(value)}`),
      ]);
    for (const word of ['mostly', 'always', 'not only', 'twice'])
      yield make(word, `how many ${world.rowsName} are ${word} ${attribute.at(value)}`, []);
    yield make('all', `how many of all ${world.rowsName} are ${attribute.at(value)}`, count(test));
  }
  for (const [one, other] of pairs(values)) {
    const [here, there] = [attribute.at(one), attribute.at(other)];
    yield make('both', `how many ${world.rowsName} are both ${here} and ${there}`, []);
    yield make('neither', `how many ${world.rowsName} are neither ${here} nor ${there}`, [
      ...count(`not coalesce(${oneOf(column, [one, other])}, false)`),
      ...count(`not ${oneOf(column, [one, other])}`),
    ]);
  }
}

function* inWorld(world: World): Generator<WordQuestion> {
  for (const link of world.linked) yield* ofThings(world, link);
  for (const link of world.dated) yield* ofYears(world, link);
  for (const measure of world.measures)
    for (const attribute of world.attributes) yield* ofMeasures(world, measure, attribute);
  for (const attribute of world.attributes) yield* ofRows(world, attribute);
}

/** Selects questions from each word and lens in turn. The questions of each word cover different positions. */
export function wordQuestions(worlds: readonly World[], most: number): WordQuestion[] {
  const groups = new Map<string, WordQuestion[]>();
  for (const world of worlds)
    for (const item of inWorld(world)) {
      const key = `${item.world.lens} ${item.word}`;
      groups.set(key, [...(groups.get(key) ?? []), item]);
    }
  const turns = [...groups.values()].map((group) => spreadApart(group));
  const chosen: WordQuestion[] = [];
  for (let turn = 0; chosen.length < most && turns.some((group) => turn < group.length); turn++)
    for (const group of turns) if (group[turn] && chosen.length < most) chosen.push(group[turn]!);
  return chosen;
}

/** Reorders the items so that neighbors are far apart. The order is the same in each run. */
const spreadApart = <T>(all: readonly T[]): T[] => {
  const step = [7919, 104_729].find((prime) => all.length % prime !== 0)!;
  return all.map((_, at) => all[(at * step + 13) % all.length]!);
};
