// Collects all phrases that can name something in a lens.

import { isTemporal } from '../../contract/warehouse.ts';
import type { Lens, LensDataset, LensField, LensMetric } from '../../lens/model/lens.ts';
import { isParticiple } from '../english/inflection.ts';
import { listSpellings } from './field-names.ts';
import { splitWords, toPhraseKey } from './phrase-key.ts';
import type { VocabularyTerm } from './vocabulary-term.ts';

/**
 * Matches adjectives before "name", which aren't names of entities. For example, "first name" doesn't refer to an
 * entity called "first".
 */
const ADJECTIVE_PATTERN = /^(?:first|last|middle|full|short|long|given|other|new|old|previous|current|main|common)$/;

/** Matches function words in names such as "genre_is" and "hired_by". A function word alone doesn't name a field. */
export const FUNCTION_WORD_PATTERN =
  /^(?:at|on|by|in|to|of|off|from|for|with|as|and|or|not|is|are|was|were|be|been|has|have|had|do|does|did|the|an?|it|its|than|per|each|all|any|no|up|out|if|so|who|what|which|when|where|how)$/;

const COUNT_NAME_PATTERN = /^(?:(?:number|count|no|num|n) (?:of )?(.+)|(.+?) (?:count|number))$/;

const PLAIN_SUM_PATTERN = /^sum\s*\(\s*(?:\w+\.)?(\w+)\s*\)$/i;
/**
 * Returns true if another field has this name. If a column is called discount, "discount" can mean the metric total
 * discount only if this metric is the sum of the column.
 */
const isNameOfOtherField = (phrase: string, { home, expression, filter }: LensMetric, { datasets }: Lens): boolean => {
  const summedField = filter === null ? PLAIN_SUM_PATTERN.exec(expression)?.[1] : undefined;
  return datasets.some(
    (dataset) =>
      dataset.name === home && dataset.fields.some(({ name }) => toPhraseKey(name) === phrase && name !== summedField),
  );
};

const listMetricPhrases = (metric: LensMetric, titles: ReadonlySet<string>, lens: Lens): string[] => {
  const names = [metric.name, ...metric.synonyms].map(toPhraseKey);
  const phrases = new Set(names);
  for (const name of names) {
    const baseName = /^(?:total|sum|overall) (?:of )?(.+)$/.exec(name)?.[1];
    // The phrase "total payments" means a sum, but "most payments" counts the payments.
    const namesRows = baseName !== undefined && titles.has(baseName) && metric.references.aggregates.includes('sum');
    if (baseName && !namesRows && !isNameOfOtherField(baseName, metric, lens)) phrases.add(baseName);
    const countMatch = COUNT_NAME_PATTERN.exec(name);
    const countedNoun = countMatch?.[1] ?? countMatch?.[2];
    if (countedNoun)
      for (const form of [
        `number of ${countedNoun}`,
        `count of ${countedNoun}`,
        `${countedNoun} count`,
        `number ${countedNoun}`,
      ])
        phrases.add(form);
    const averagedNoun = /^(?:average|avg|mean) (?:of )?(.+)$/.exec(name)?.[1];
    if (averagedNoun)
      for (const form of [`average ${averagedNoun}`, `avg ${averagedNoun}`, `mean ${averagedNoun}`]) phrases.add(form);
  }
  return [...phrases];
};

/**
 * Matches synonyms of datasets such as "managed by" or "living in", which link two entities. svc would otherwise treat
 * them as nouns for entities.
 */
const LINK_PHRASE_PATTERN = /^\w{2,}(?:ed|ing) (?:by|in|at|to|on|for|with|from)$/i;

interface TitledDataset extends LensDataset {
  titles: readonly string[];
  roles: readonly string[];
}

export class PhraseTable {
  readonly phrases = new Map<string, VocabularyTerm[]>();
  /** The length of the longest phrase, in words. */
  maxPhraseWords = 1;
  /** Names of entities without a dataset, such as "product" for a field product_name or product_id. */
  private readonly identities: { thing: string; dataset: string; field: LensField; isName: boolean }[] = [];

  constructor(lens: Lens, display: (dataset: string) => readonly LensField[]) {
    const titledDatasets = lens.datasets.map((dataset) => this.addTitles(lens, dataset));
    for (const dataset of titledDatasets) {
      for (const field of dataset.fields) this.addField(dataset, field);
      this.addKey(dataset);
      const shownFields = display(dataset.name);
      if (shownFields.length === 2) this.addNames(dataset, shownFields);
    }
    for (const { thing, dataset, field, isName } of this.identities)
      if (!this.hasTermFor(thing, (term) => term.kind === 'dataset' || isExactFieldName(term, dataset)))
        this.add(thing, { kind: 'field', dataset, field, loose: 1, identity: isName ? 'name' : 'key' });
    const datasetPhrases = new Set(lens.datasets.flatMap(({ name, synonyms }) => [name, ...synonyms].map(toPhraseKey)));
    for (const metric of lens.metrics)
      for (const phrase of listMetricPhrases(metric, datasetPhrases, lens))
        this.add(phrase, { kind: 'metric', metric });
    for (const definition of lens.definitions)
      for (const term of [definition.term, ...definition.synonyms].map(toPhraseKey)) {
        this.add(term, { kind: 'definition', definition });
        for (const sense of definition.senses)
          for (const compound of [`${toPhraseKey(sense.key)} ${term}`, `${term} ${toPhraseKey(sense.key)}`])
            if (!this.hasTermFor(compound, ({ kind }) => kind === 'metric'))
              this.add(compound, { kind: 'definition', definition: { ...definition, ...sense, senses: [] } });
      }
  }

  private hasTermFor(phrase: string, hasMeaning: (term: VocabularyTerm) => boolean): boolean {
    return this.phrases.get(phrase)?.some(hasMeaning) ?? false;
  }
  private add(key: string, term: VocabularyTerm): void {
    if (!key) return;
    const list = this.phrases.get(key) ?? [];
    this.phrases.set(key, list);
    const index = list.findIndex((existing) => isSameTerm(existing, term));
    const existingTerm = list[index];
    if (index < 0) list.push(term);
    else if (existingTerm?.kind === 'field' && term.kind === 'field' && term.loose < existingTerm.loose)
      list[index] = term;
    this.maxPhraseWords = Math.max(this.maxPhraseWords, key.split(' ').length);
  }

  private addTitles({ relationships }: Lens, dataset: LensDataset): TitledDataset {
    const { name, synonyms } = dataset;
    const titles = [
      ...new Set([name, ...synonyms.filter((synonym) => !LINK_PHRASE_PATTERN.test(synonym))].map(toPhraseKey)),
    ];
    // Callers leave out a prefix such as "dim_" or "tbl_", which is only a naming convention of the warehouse.
    for (const title of titles) titles.push(...(/^(?:dim|fact|fct|tbl|stg|vw|mart) (.+)$/.exec(title)?.slice(1) ?? []));
    const roles = relationships.filter(({ to, role }) => to.dataset === name && role !== name).map(({ role }) => role);
    for (const title of titles) this.add(title, { kind: 'dataset', dataset: name });
    for (const role of roles) {
      this.add(toPhraseKey(role), { kind: 'dataset', dataset: name, role });
      for (const title of titles)
        if (!toPhraseKey(role).split(' ').includes(title))
          this.add(`${toPhraseKey(role)} ${title}`, { kind: 'dataset', dataset: name, role });
    }
    return { ...dataset, titles, roles };
  }

  private addField(titledDataset: TitledDataset, field: LensField): void {
    const { name: dataset, titles, roles, primaryKey } = titledDataset;
    const term = { kind: 'field' as const, dataset, field };
    const fieldSpellings = [field.name, ...field.synonyms]
      .map(toPhraseKey)
      .flatMap((name) => listSpellings(name, field.unit));
    // The phrase "orders posted" means orders, not a date field named "posted".
    const isDated = isTemporal(field.datatype) || splitWords(field.name).includes('year');
    for (const name of new Set(fieldSpellings)) {
      this.add(name, { ...term, loose: 0 });
      for (const title of isDated && isParticiple(name) ? [] : titles)
        if (name.startsWith(`${title} `)) this.add(name.slice(title.length + 1), { ...term, loose: 1 });
        else this.add(`${title} ${name}`, { ...term, loose: 0 });
      for (const role of roles) this.add(`${toPhraseKey(role)} ${name}`, { ...term, loose: 0, role });
      const lastWord = name.split(' ').slice(1).at(-1);
      // In "type of pet", the pet is the entity itself.
      if (
        lastWord &&
        !titles.includes(lastWord) &&
        !KEY_WORD_PATTERN.test(lastWord) &&
        !FUNCTION_WORD_PATTERN.test(lastWord)
      )
        this.add(lastWord, { ...term, loose: 2 });
      const entityPhrase = /^(.+) (?:name|title|id|code|key|number|no)$/.exec(name)?.[1];
      if (
        entityPhrase &&
        !titles.includes(entityPhrase) &&
        !ADJECTIVE_PATTERN.test(entityPhrase) &&
        !primaryKey.includes(field.name)
      )
        this.identities.push({ thing: entityPhrase, dataset, field, isName: /(?:name|title)$/.test(name) });
      const predicate = field.datatype === 'boolean' && /^(?:is|has|was|are) (.+)$/.exec(name)?.[1];
      if (predicate) this.add(predicate, { ...term, loose: 0 });
    }
  }

  /** The ID of a row isn't its name. */
  private addKey({ name: dataset, titles, primaryKey, fields }: TitledDataset): void {
    const field = primaryKey.length === 1 ? fields.find(({ name }) => name === primaryKey[0]) : undefined;
    if (!field || /(?:^| )(?:name|title)$/.test(toPhraseKey(field.name))) return;
    for (const form of ['id', ...titles.map((title) => `${title} id`)])
      this.add(form, { kind: 'field', dataset, field, loose: 1 });
  }

  /**
   * The first and last name together are the name of a row, unless the lens declares one of these fields as the name.
   */
  private addNames({ name: dataset, titles }: TitledDataset, fields: readonly LensField[]): void {
    const names: VocabularyTerm = { kind: 'names', dataset, fields: [...fields] };
    for (const form of ['full name', 'name', 'first and last name', 'first name and last name'].map(toPhraseKey)) {
      if (this.hasTermFor(form, (term) => isExactFieldName(term, dataset))) continue;
      for (const phrase of [form, ...titles.map((title) => `${title} ${form}`)]) this.add(phrase, names);
    }
  }
}
const KEY_WORD_PATTERN = /^(?:id|number|no|nr|num|code|key)$/;
const isExactFieldName = (term: VocabularyTerm, dataset: string): boolean =>
  term.kind === 'field' && term.dataset === dataset && term.loose === 0;

const isSameTerm = (one: VocabularyTerm, other: VocabularyTerm): boolean => {
  if (one.kind === 'field' && other.kind === 'field')
    return one.dataset === other.dataset && one.field === other.field && one.role === other.role;
  if (one.kind === 'metric' && other.kind === 'metric') return one.metric === other.metric;
  if (one.kind === 'dataset' && other.kind === 'dataset')
    return one.dataset === other.dataset && one.role === other.role;
  if (one.kind === 'names' && other.kind === 'names') return one.dataset === other.dataset;
  return one.kind === 'definition' && other.kind === 'definition' && one.definition === other.definition;
};
