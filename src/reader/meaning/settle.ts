// Settles what each name of a term stands for, as seen from the rows that are told of. Where several would do equally, it
// takes one way of a fork; the others are tried in turn by whoever asks.

import type { DefinitionSense, LensDataset, LensDefinition, LensField } from '../../lens/model/lens.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import type { Language } from '../english/english.ts';
import { isTemporal } from '../words/datatypes.ts';
import type { Reach } from '../words/join-graph.ts';
import { fold } from '../words/tokens.ts';
import { type Vocabulary, words } from '../words/vocabulary.ts';
import { isEventDate } from './happens.ts';
import type { NamedField, Period } from './terms.ts';

/** This reading can't hold in this lens. Thrown for most readings, so it takes no stack with it. */
export class Unfit {
  readonly why: string;
  constructor(why: string) {
    this.why = why;
  }
}
export const unfit = (why: string): never => {
  throw new Unfit(why);
};

export type Class = 'which name' | 'which way' | 'which date' | 'row or total';
export interface Fork {
  class: Class;
  /** The words as asked. */
  term: string;
  options: { key: string; label: string; meaning?: string }[];
  taken: number;
  /** To be asked about, even where there is one option. */
  open?: true;
  /** What is told of the way that is taken. */
  defined?: LensDefinition;
}
export interface Placed {
  path: string;
  field: LensField;
  dataset: LensDataset;
}
/** What is found behind a to-many step. */
export interface Behind {
  /** The dataset that leads to the rows told of. */
  path: string;
  via?: string;
  /** Within it. */
  at: Placed;
}
interface Candidate<T> {
  of: T;
  key: string;
  label?: string;
  cost: number;
}

interface Verbs {
  relating: ReadonlySet<string>;
  coming: ReadonlySet<string>;
  sameEvent: ReadonlySet<string>;
  /** What numbers are called that tell things apart. */
  telling: ReadonlySet<string>;
  states: ReadonlySet<string>;
  active: ReadonlySet<string>;
  doing: ReadonlyMap<string, { needs: ReadonlySet<string>; forms: ReadonlySet<string> }>;
}
const known = new WeakMap<Language, Verbs>();
const verbsOf = (language: Language): Verbs => {
  const made = known.get(language) ?? {
    relating: new Set(fold(language.relating).split('|')),
    coming: new Set(fold(language.coming).split('|')),
    sameEvent: new Set(fold(language.sameEvent).split('|')),
    telling: new Set(language.telling.split(' ')),
    states: new Set(language.states.split(' ')),
    active: new Set(fold(language.active).split('|')),
    doing: new Map(
      language.doing.flatMap(({ said, needs }) => {
        const forms = fold(said).split('|');
        const stems = new Set(fold(needs).split(' ').map(language.inflection.stem));
        return forms.map((verb) => [verb, { needs: stems, forms: new Set(forms) }] as const);
      }),
    ),
  };
  known.set(language, made);
  return made;
};
export interface Led {
  by: string;
  must: boolean;
}
const TO_MANY = 4;
const BRIDGED = 6;
const LOOSE = 2;

export class Settling {
  readonly forks: Fork[] = [];
  readonly doubts: string[] = [];
  readonly notes: string[] = [];
  readonly vocabulary: Vocabulary;
  readonly verbs: Verbs;
  /** The date of what is measured, where a metric has its own. */
  usual: { dataset: string; field: string } | null = null;
  /** The words of the question. */
  private readonly said: ReadonlySet<string>;
  private readonly taken: readonly number[];

  readonly today: string;

  constructor(vocabulary: Vocabulary, said: ReadonlySet<string>, taken: readonly number[], today: string) {
    this.vocabulary = vocabulary;
    this.today = today;
    this.said = said;
    this.verbs = verbsOf(vocabulary.language);
    this.taken = taken;
  }

  /** The cheapest; one of them after the other where several are equally cheap. */
  pick<T>(name: Class, term: string, all: readonly Candidate<T>[]): T {
    const least = Math.min(...all.map(({ cost }) => cost));
    const best = all.filter(
      ({ cost }, at) => cost === least && all.findIndex(({ key }) => key === all[at]!.key) === at,
    );
    if (best.length === 0) return unfit(`${term} is nowhere here`);
    if (best.length === 1) return best[0]!.of;
    // One answer about the date settles every period of the question.
    const before = this.forks.find(
      (fork) =>
        (fork.term === term || (fork.class === name && name === 'which date')) &&
        fork.options.map(({ key }) => key).join() === best.map(({ key }) => key).join(),
    );
    const taken = before?.taken ?? this.taken[this.forks.length] ?? 0;
    if (!before)
      this.forks.push({
        class: name,
        term,
        options: best.map(({ key, label = key.replaceAll('_', ' ') }) => ({ key, label })),
        taken,
      });
    return best[taken]!.of;
  }

  /** What a governed term stands for: one of its senses, where it has several. */
  sense(of: LensDefinition): Pick<DefinitionSense, 'metric' | 'filter' | 'field'> {
    if (of.senses.length === 0) return of;
    const found = this.pick(
      'which name',
      of.term,
      of.senses.map((one) => ({ of: one, key: one.key, cost: 0 })),
    );
    const fork = this.forks.find(({ term }) => term === of.term);
    if (fork && !fork.defined) {
      fork.defined = of;
      fork.options = of.senses.map(({ key, label, meaning }) => ({ key, label, meaning }));
    }
    return found;
  }
  private get inflection(): Language['inflection'] {
    return this.vocabulary.language.inflection;
  }

  /** What is told of an answer, and takes nothing from it. */
  note(said: string): void {
    if (!this.notes.includes(said)) this.notes.push(said);
  }
  doubt(said: string): void {
    if (!this.doubts.includes(said)) this.doubts.push(said);
  }

  dataset(path: string): LensDataset {
    const name = this.vocabulary.graph.datasetOf(path);
    return name === undefined ? unfit(path) : this.vocabulary.dataset(name);
  }
  /** A word that may describe anything. */
  isState(said: string): boolean {
    return this.verbs.states.has(said) || this.inflection.isParticiple(said);
  }
  reach(home: string): Reach[] {
    return [...this.vocabulary.graph.reach(home).values()].filter(({ ambiguous }) => !ambiguous);
  }
  leads(from: string, to: string): boolean {
    return this.vocabulary.graph.paths(from, to).some(({ ambiguous }) => !ambiguous);
  }
  /** The path under which rows of a dataset are reached. */
  path(home: string, dataset: string, role: string | undefined, term: string): string {
    const ways = this.reach(home).filter(
      (one) => one.dataset === dataset && (role ? one.path === role : !this.isUnsaidRole(home, one)),
    );
    return this.pick(
      'which way',
      term,
      ways.map(({ path, hops }) => ({ of: path, key: path, cost: hops })),
    );
  }
  /** A field that each row told of has one of. `from`: names are looked for as near to these rows as can be. */
  field(home: string, options: readonly NamedField[], term: string, from = home): Placed {
    return this.pick('which name', term, this.direct(home, options, from));
  }
  direct(home: string, options: readonly NamedField[], from = home): Candidate<Placed>[] {
    const near = new Map(this.reach(from).map((one) => [one.path, one.hops]));
    return options.flatMap(({ dataset, role, fields, loose }) =>
      this.reach(home)
        .filter((one) => one.dataset === dataset && (role ? one.path === role : !this.isUnsaidRole(home, one)))
        .map(({ path, hops }) => ({
          of: { path, field: fields[0]!, dataset: this.vocabulary.dataset(dataset) },
          key: `${path}.${fields[0]!.name}`,
          cost: (near.get(path) ?? hops + TO_MANY) + loose * LOOSE,
        })),
    );
  }
  /** Of several parts that a place plays, the one that the word before it tells. */
  playing<T extends { path: string }>(led: Led | undefined, all: readonly Candidate<T>[]): readonly Candidate<T>[] {
    if (!led) return all;
    const told = all.filter(({ of: { path } }) => this.isPart(path, led.by));
    return told.length > 0 || led.must ? told : all;
  }
  private isPart(path: string, by: string): boolean {
    const { parts, inflection } = this.vocabulary.language;
    const roots = [by, inflection.twin(by)].flatMap((one) => (one ? [inflection.verbRoot(one)] : []));
    return (
      this.vocabulary.graph.datasetOf(path) !== path &&
      words(path).some(
        (part) => parts[by]?.split(' ').includes(part) || roots.some((root) => inflection.derives(part, root)),
      )
    );
  }
  /** The same through rows that lead to the rows told of. */
  behind(home: string, options: readonly NamedField[], from = home): Candidate<Behind>[] {
    const { graph, lens } = this.vocabulary;
    return options.flatMap(({ dataset, fields, loose }): Candidate<Behind>[] => {
      if (dataset === home || this.leads(home, dataset)) return [];
      const at = { path: dataset, field: fields[0]!, dataset: this.vocabulary.dataset(dataset) };
      const key = `${dataset}.${fields[0]!.name}`;
      if (this.leads(dataset, from)) {
        const ways = graph.paths(dataset, from);
        return [
          {
            of: { path: dataset, via: ways.length > 1 ? ways[0]!.path : undefined, at },
            key,
            cost: ways.length > 1 ? BRIDGED : TO_MANY + ways[0]!.hops + loose * LOOSE,
          },
        ];
      }
      return lens.datasets
        .filter(({ name }) => name !== home && this.leads(name, from) && this.leads(name, dataset))
        .flatMap(({ name }) =>
          graph.paths(name, dataset).map((way) => ({
            of: { path: name, at: { ...at, path: way.path } },
            key: `${name} ${key}`,
            cost: BRIDGED + way.hops + graph.paths(name, from)[0]!.hops + loose * LOOSE,
          })),
        );
    });
  }

  /** "pupils per teacher" where a pupil has a homeroom teacher and other teachers besides: which is meant was not said. */
  private isUnsaidRole(home: string, { dataset, via }: Reach): boolean {
    const { graph, lens, key } = this.vocabulary;
    const last = via.at(-1);
    if (!last?.named) return false;
    const { name: own, synonyms } = this.vocabulary.dataset(dataset);
    const titles = new Set([own, ...synonyms].flatMap((title) => key(title).split(' ')));
    const special = key(last.role)
      .split(' ')
      .filter((part) => !titles.has(part));
    if (special.length === 0 || special.some((part) => this.said.has(part))) return false;
    const apart = ({ hops, via: steps }: Reach): boolean =>
      hops > 0 && steps.every(({ from, to }) => from.dataset !== home && to.dataset !== home);
    return lens.datasets.some(
      ({ name }) => name !== home && graph.paths(name, home).length > 0 && graph.paths(name, dataset).some(apart),
    );
  }

  /** The date that a period or a grain is about: of what happened, the usual one, the only one. */
  date(home: string, term: string, verb: string | null): Placed & { year: boolean } {
    const near = this.reach(home).sort((a, b) => a.hops - b.hops);
    for (const { path, dataset: name, hops } of near) {
      const dataset = this.vocabulary.dataset(name);
      const dates = dataset.fields.filter((one) => isTemporal(one.datatype) && !one.masked);
      const years = dataset.fields.filter((one) => one.datatype === 'integer' && this.isYear(one.name));
      const said = verb === null ? [] : [...dates, ...years].filter((one) => this.isCalled(one, verb));
      const timeField = this.usual?.dataset === name ? this.usual.field : dataset.timeField;
      const usual = dates.filter((one) => one.name === timeField);
      // A thing has no time of its own: "members in 2023" are neither those born nor those who joined then.
      const isThing = hops === 0 && said.length === 0 && usual.length === 0 && dates.length === 1;
      if (isThing && !isEventDate(this.vocabulary, dataset, dates[0]!)) {
        const key = `${path}.${dates[0]!.name}`;
        if (!this.forks.some((fork) => fork.class === 'which date' && fork.options[0]!.key === key))
          this.forks.push({
            class: 'which date',
            term,
            options: [{ key, label: key.replaceAll('_', ' ') }],
            taken: 0,
            open: true,
          });
        return { path, field: dates[0]!, dataset, year: false };
      }
      const found = said.length > 0 ? said : usual.length > 0 ? usual : dates.length > 0 ? dates : years;
      if (found.length === 0 || (hops > 0 && found !== said && dates.length === 0)) continue;
      const [only, more] = found;
      const field = more
        ? this.pick(
            'which date',
            term,
            found.map((one) => ({ of: one, key: `${path}.${one.name}`, cost: 0 })),
          )
        : only!;
      if (hops > 0 && said.length === 0 && !this.isPartOf(home, name))
        this.doubt(
          `${home.replaceAll('_', ' ')} have no date of their own: "${term}" was taken for the ${field.name.replaceAll('_', ' ')} of their ${name.replaceAll('_', ' ')}.`,
        );
      if (verb !== null && said.length === 0) this.happening(verb, home);
      if (verb !== null && said.length === 0 && dates.length > 1)
        this.doubt(`"${verb}" was taken to be about ${field.name}.`);
      return { path, field, dataset, year: !isTemporal(field.datatype) };
    }
    return unfit(`there is no date for ${term}`);
  }

  /** Rows that are lines or items of others are of their date. */
  private isPartOf(path: string, whole: string): boolean {
    const { name, synonyms, primaryKey } = this.dataset(path);
    const { key, lens, language } = this.vocabulary;
    const parts = key(whole).split(' ');
    const called = [name, ...synonyms].some((title) => {
      const rest = key(title)
        .split(' ')
        .filter((part) => !parts.includes(part));
      return rest.length > 0 && rest.every((part) => language.partsOfWhole.split(' ').includes(part));
    });
    return (
      called ||
      (primaryKey.length > 1 &&
        lens.relationships.some(
          ({ from, to }) =>
            from.dataset === name && to.dataset === whole && from.columns.every((one) => primaryKey.includes(one)),
        ))
    );
  }

  /** A date is called by what happened then. */
  private isCalled({ name, synonyms }: LensField, verb: string): boolean {
    const { sameEvent } = this.verbs;
    return [name, ...synonyms].some((called) =>
      words(called).some((part) => this.tellsOf(part, verb) || (sameEvent.has(part) && sameEvent.has(verb))),
    );
  }
  hasDates(path: string): boolean {
    return this.datesOf(path).length > 0;
  }
  private datesOf(path: string): LensField[] {
    return this.dataset(path).fields.filter(({ datatype, masked }) => isTemporal(datatype) && !masked);
  }
  /** The rows themselves have a date of that. */
  happenedAt(path: string, verb: string): boolean {
    return this.isWhen(path, verb) && this.inflection.isParticiple(verb);
  }
  /** The rows have a date of that, in whichever form the verb is. */
  isWhen(path: string, verb: string): boolean {
    return this.datesOf(path).some((one) => this.isCalled(one, verb));
  }
  /** What rows do at their usual date: "the tickets that Acme opened". */
  isUsual(path: string, verb: string): boolean {
    const { timeField } = this.dataset(path);
    return this.datesOf(path).some((one) => one.name === timeField && this.isCalled(one, verb));
  }
  mayRestrict(verb: string): boolean {
    return this.verbs.active.has(verb);
  }
  /** The verb is done to these. */
  isAbout(verb: string, dataset: string): boolean {
    const needs = this.verbs.doing.get(verb)?.needs;
    const { name, synonyms } = this.dataset(dataset);
    return [name, ...synonyms].flatMap(words).some((part) => needs?.has(this.inflection.stem(part)));
  }
  /** A state that rows came to at a date of its own, and not at their usual one. */
  otherDate(path: string, state: string): boolean {
    const { timeField } = this.dataset(path);
    const verb = fold(state);
    return (
      this.happenedAt(path, verb) &&
      !this.datesOf(path).some((one) => one.name === timeField && this.isCalled(one, verb))
    );
  }

  private isYear(name: string): boolean {
    const { year } = this.vocabulary.language;
    return words(name).some((part) => year.split(' ').includes(part));
  }
  /** A whole number that is a year goes in order, as periods do. */
  yearAt(path: string, field: string): boolean {
    const found = this.dataset(path).fields.find(({ name }) => name === field);
    return found?.datatype === 'integer' && this.isYear(field);
  }

  /** A verb links two things where it says no more than that, or where the lens holds what it is about. */
  linking(verb: string, home: string, others: readonly string[]): void {
    this.storedState(verb, home);
    const { relating, coming, doing } = this.verbs;
    if (relating.has(verb)) return;
    if (!coming.has(verb)) this.storedDate(verb, [home, ...others]);
    this.storedRole(verb, home, others);
    if (coming.has(verb) && others.every((other) => other === home)) return;
    const needs = doing.get(verb)?.needs;
    const leading = this.vocabulary.lens.datasets.map(({ name }) => name).filter((name) => this.leads(name, home));
    const names = [home, ...this.reach(home).map(({ dataset }) => dataset), ...leading, ...others].flatMap((name) => {
      const { synonyms, fields } = this.dataset(name);
      return [name, ...synonyms, ...fields.map((field) => field.name)].flatMap(words).map(this.inflection.stem);
    });
    const root = this.inflection.verbRoot(verb);
    if (!names.some((name) => needs?.has(name) || this.inflection.derives(name, root))) unfit(`${verb} may restrict`);
  }
  /** Its rows are pairs of the two, each once. */
  linksOnly(link: string, one: string, other: string): boolean {
    const { primaryKey } = this.vocabulary.dataset(link);
    const columns = this.vocabulary.lens.relationships
      .filter(({ from, to }) => from.dataset === link && (to.dataset === one || to.dataset === other))
      .flatMap(({ from }) => from.columns);
    return primaryKey.length > 1 && primaryKey.every((column) => columns.includes(column));
  }

  /** Rows between two things say that one did this to the other: loans of "borrowed", and no reservations. */
  saidBy(verb: string, dataset: string): boolean {
    const known = this.verbs.doing.get(verb);
    if (this.verbs.relating.has(verb) || !known) return true;
    const { name, synonyms } = this.dataset(dataset);
    const root = this.inflection.verbRoot(verb);
    return [name, ...synonyms]
      .flatMap(words)
      .some(
        (part) =>
          known.forms.has(part) ||
          known.needs.has(this.inflection.stem(part)) ||
          this.inflection.derives(this.inflection.stem(part), root),
      );
  }
  /** "mechanics who closed no jobs" is about those that have a date of that, which a verb that links does not say. */
  private storedDate(verb: string, datasets: readonly string[]): void {
    for (const { fields, timeField } of datasets.map((name) => this.dataset(name)))
      for (const { name, datatype } of fields)
        if (isTemporal(datatype) && name !== timeField && words(name).some((part) => this.tellsOf(part, verb)))
          unfit(`${verb} is a date`);
  }
  /** "shipped" of the ship mode. */
  isNamedBy(name: string, verb: string): boolean {
    return words(name).some((part) => this.tellsOf(part, verb));
  }
  /** "scanned" and "shipment" of what was scanned and shipped. */
  private tellsOf(part: string, verb: string): boolean {
    const { derives, isParticiple, verbRoot } = this.inflection;
    return derives(part, verbRoot(verb)) || (isParticiple(part) && verbRoot(part) === verbRoot(verb));
  }
  /** "claims filed by the machine" where clerks are whom they are filed by. */
  private storedRole(verb: string, home: string, others: readonly string[]): void {
    const root = this.inflection.verbRoot(verb);
    for (const { role, named, from, to } of this.vocabulary.lens.relationships)
      if (
        named &&
        [home, ...others].includes(from.dataset) &&
        words(role).some((part) => this.inflection.derives(part, root))
      )
        if (![home, ...others].includes(to.dataset)) unfit(`${verb} is a part that others play`);
  }
  /** What happened at a date that is not called by it is that a thing came to be. */
  private happening(verb: string, home: string): void {
    this.storedState(verb, home);
    if (!this.verbs.coming.has(verb)) unfit(`there is no date of what was ${verb}`);
  }

  /** "shares bought" where a side is called buy: those only, which a verb that links does not say. */
  storedState(verb: string, home: string): void {
    const root = this.inflection.verbRoot(verb);
    if (root.length < 3) return;
    for (const { dataset } of this.reach(home))
      for (const field of this.vocabulary.dataset(dataset).fields)
        if (
          (field.datatype === 'boolean' && words(field.name).some((part) => this.inflection.verbRoot(part) === root)) ||
          ((field.dictionary?.values.length ?? 0) <= 50 &&
            field.dictionary?.values.some(({ value }) => this.inflection.verbRoot(fold(value)) === root))
        )
          unfit(`${verb} is a value of ${field.name}`);
  }
}

/** A period as conditions on a date, or on a year that is a whole number. */
export const periodFilters = ({ path, field, year }: Placed & { year: boolean }, { mention }: Period): Filter[] => {
  const ref = { path, field: field.name };
  const made = (op: '>=' | '<' | '=', of: string | number): Filter => ({
    field: ref,
    op,
    values: [of],
  });
  if (!year)
    return [...(mention.from ? [made('>=', mention.from)] : []), ...(mention.to ? [made('<', mention.to)] : [])];
  const edge = (text: string): number =>
    text.endsWith('-01-01') ? Number(text.slice(0, 4)) : unfit('a year has no parts');
  if (mention.from && mention.to && edge(mention.to) === edge(mention.from) + 1) return [made('=', edge(mention.from))];
  return [
    ...(mention.from ? [made('>=', edge(mention.from))] : []),
    ...(mention.to ? [made('<', edge(mention.to))] : []),
  ];
};
