// Resolves each name in a parsed phrase, following joins from the main dataset. If several meanings fit equally well,
// this module selects one of them and records the ambiguity. The caller then tries each of the other meanings.

import type {
  DefinitionSense,
  LensDataset,
  LensDefinition,
  LensField,
  LensRelationship,
} from '../../lens/model/lens.ts';
import type { Filter } from '../../plan/lens-plan.ts';
import { derivesFromRoot, toVerbRoot } from '../english/inflection.ts';
import { ROLE_WORDS } from '../english/words.ts';
import type { ReachablePath } from '../words/join-graph.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { Vocabulary } from '../words/vocabulary.ts';
import type { FieldCandidate, PeriodTerm } from './terms.ts';

/**
 * Thrown if an interpretation isn't possible in this lens. The error has no stack trace, because svc rejects most
 * interpretations and a stack trace takes time.
 */
export class InterpretationRejection {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
export const rejectInterpretation = (reason: string): never => {
  throw new InterpretationRejection(reason);
};

export type AmbiguityKind = 'which name' | 'which way' | 'which date' | 'row or total';
export interface Ambiguity {
  class: AmbiguityKind;
  /** The ambiguous words in the question. */
  term: string;
  options: { key: string; label: string; meaning?: string }[];
  takenIndex: number;
  /** True if svc must ask about the term even if there is only one option. */
  open?: true;
  /** The definition to show for the chosen option. */
  defined?: LensDefinition;
}
export interface PlacedField {
  path: string;
  field: LensField;
  dataset: LensDataset;
}
/** A field of rows that refer to the main dataset, directly or through a linking dataset. */
export interface FieldOfRelatedRows {
  /**
   * The dataset of the field or a linking dataset, from which the main dataset is reachable through many-to-one joins.
   */
  path: string;
  via?: string;
  at: PlacedField;
}
interface NameCandidate<T> {
  of: T;
  key: string;
  label?: string;
  cost: number;
}

/** Returns false for a pair of first and last name, which only a list of rows can show together. */
export const isSingleField = ({ fields }: FieldCandidate): boolean => fields.length === 1;

/**
 * Returns the candidates in `others` that are at least as near as the nearest of `candidates`, and therefore equally
 * likely. For example, "trainings by city" can mean the city of the venue or of the trainer's office.
 */
function listEquallyNearCandidates<Item extends { cost: number }>(
  candidates: readonly Item[],
  others: readonly Item[],
): Item[] {
  const cost = Math.min(...candidates.map((item) => item.cost));
  return candidates.length === 0 ? [] : others.filter((item) => item.cost <= cost).map((item) => ({ ...item, cost }));
}

const TO_MANY_COST = 4;
const BRIDGE_COST = 6;
const LOOSE_NAME_COSTS = [0, 1, 4];

export class NameResolution {
  readonly ambiguities: Ambiguity[] = [];
  readonly doubts: string[] = [];
  /** The verbs that svc took as a mere link, with the dataset whose rows they describe. */
  readonly linkingVerbs: { verb: string; dataset: LensDataset }[] = [];
  /** The reason why svc declines a question with this interpretation, or null. */
  declinedReason: string | null = null;
  readonly vocabulary: Vocabulary;
  /**
   * The date fields of the measures: those of their metrics, otherwise the default date fields. `home` is the main
   * dataset, or null for a metric of several datasets.
   */
  measureDates: readonly { home: string | null; dataset: string; field: string }[] = [];
  readonly questionWords: ReadonlySet<string>;
  private readonly takenIndexes: readonly number[];

  readonly today: string;

  constructor(
    vocabulary: Vocabulary,
    questionWords: ReadonlySet<string>,
    chosenOptions: readonly number[],
    today: string,
  ) {
    this.vocabulary = vocabulary;
    this.today = today;
    this.questionWords = questionWords;
    this.takenIndexes = chosenOptions;
  }

  /**
   * Returns the cheapest candidate. If several candidates are equally cheap, records an ambiguity so that svc tries all
   * of them.
   */
  pick<T>(name: AmbiguityKind, term: string, candidates: readonly NameCandidate<T>[]): T {
    const minCost = Math.min(...candidates.map(({ cost }) => cost));
    const cheapest = candidates.filter(
      ({ cost }, index) =>
        cost === minCost && candidates.findIndex(({ key }) => key === candidates[index]!.key) === index,
    );
    if (cheapest.length === 0) return rejectInterpretation(`${term} is not reachable from these rows`);
    if (cheapest.length === 1) return cheapest[0]!.of;
    // A choice of the date applies to every period in the question.
    const earlierAmbiguity = this.ambiguities.find(
      (ambiguity) =>
        (ambiguity.term === term || (ambiguity.class === name && name === 'which date')) &&
        ambiguity.options.map(({ key }) => key).join() === cheapest.map(({ key }) => key).join(),
    );
    const chosenIndex = earlierAmbiguity?.takenIndex ?? this.takenIndexes[this.ambiguities.length] ?? 0;
    if (!earlierAmbiguity)
      this.ambiguities.push({
        class: name,
        term,
        options: cheapest.map(({ key, label = key.replaceAll('_', ' ') }) => ({ key, label })),
        takenIndex: chosenIndex,
      });
    return cheapest[chosenIndex]!.of;
  }
  /** Returns the meaning of a governed term. If the term has several senses, returns one of them. */
  resolveSense(definition: LensDefinition): Pick<DefinitionSense, 'metric' | 'filter' | 'field'> {
    if (definition.senses.length === 0) return definition;
    const chosenSense = this.pick(
      'which name',
      definition.term,
      definition.senses.map((sense) => ({ of: sense, key: sense.key, cost: 0 })),
    );
    const ambiguity = this.ambiguities.find(({ term }) => term === definition.term);
    if (ambiguity && !ambiguity.defined) {
      ambiguity.defined = definition;
      ambiguity.options = definition.senses.map(({ key, label, meaning }) => ({ key, label, meaning }));
    }
    return chosenSense;
  }
  addOtherFieldDoubt(phrase: string, chosenField: PlacedField, otherField: PlacedField): void {
    const [chosen, other] = [chosenField, otherField].map(({ path, field }) =>
      `the ${field.name} of ${path}`.replaceAll('_', ' '),
    );
    this.addDoubt(`svc read "${phrase}" as ${chosen}, but it can also be ${other}.`);
  }
  /**
   * Adds a doubt about the values of a field that stand for entities, because other rows may name more entities. For
   * example, not every customer has a complaint. A list of values in the lens is complete.
   */
  addOccurrenceDoubt({ path, field }: { path: string; field: string }): void {
    const { name, primaryKey, fields } = this.dataset(path);
    const { dictionary, dictionaryFromWarehouse } = fields.find((item) => item.name === field)!;
    if (primaryKey.join() === field || (dictionary && !dictionaryFromWarehouse)) return;
    this.addDoubt(
      `svc knows only the ${field.replaceAll('_', ' ')} values that occur in ${name.replaceAll('_', ' ')}.`,
    );
  }
  addDoubt(message: string): void {
    if (!this.doubts.includes(message)) this.doubts.push(message);
  }
  dataset(path: string): LensDataset {
    const name = this.vocabulary.graph.datasetOf(path);
    return name === undefined ? rejectInterpretation(path) : this.vocabulary.dataset(name);
  }
  listReachablePathsFrom(homeDataset: string): ReachablePath[] {
    return [...this.vocabulary.graph.pathsFrom(homeDataset).values()].filter(({ ambiguous }) => !ambiguous);
  }
  reaches(from: string, to: string): boolean {
    return this.vocabulary.graph.paths(from, to).some(({ ambiguous }) => !ambiguous);
  }
  /** Returns the path from `homeDataset` to `dataset`. */
  path(homeDataset: string, dataset: string, role: string | undefined, term: string): string {
    const routes = this.listReachablePathsFrom(homeDataset)
      .filter((item) => item.dataset === dataset && (!role || item.path === role))
      .map((item) => ({ of: item.path, key: item.path, cost: item.hops, item }));
    const mentioned = routes.filter(({ item }) => role || !this.isUnmentionedRole(homeDataset, item));
    const others = routes.filter((route) => !mentioned.includes(route));
    return this.pick('which way', term, [...mentioned, ...listEquallyNearCandidates(mentioned, others)]);
  }
  /**
   * Adds a doubt if another path of the same length leads to the dataset. For example, in "interviews by office", both
   * the interviewer and the application can have an office.
   */
  addOtherPathDoubt(homeDataset: string, path: string): void {
    const routes = this.vocabulary.graph.pathsFrom(homeDataset);
    const route = routes.get(path);
    const isMentioned = ({ named, role, to }: LensRelationship): boolean =>
      named && this.listRoleWords(role, [homeDataset, to.dataset]).some((word) => this.questionWords.has(word));
    if (!route || route.hops < 2 || route.via.some(isMentioned)) return;
    const other = [...routes.values()].find(
      ({ dataset, via }) => dataset === route.dataset && via.length > 0 && via[0] !== route.via[0],
    );
    const toName = (item: ReachablePath): string => item.via[0]!.role.replaceAll('_', ' ');
    if (other)
      this.addDoubt(
        `svc linked ${homeDataset.replaceAll('_', ' ')} to ${route.dataset.replaceAll('_', ' ')} through ${toName(route)}, not through ${toName(other)}.`,
      );
  }
  /** Finds a field with one value for each row of `homeDataset`. Prefers fields near `from`. */
  field(homeDataset: string, options: readonly FieldCandidate[], term: string, from = homeDataset): PlacedField {
    const candidates = this.listDirectCandidates(homeDataset, options, from);
    const chosenField = this.pick('which name', term, candidates);
    const chosenCost = candidates.find(({ of }) => of === chosenField)!.cost;
    const rival = this.listDirectCandidates(homeDataset, options, from, true).find(
      ({ of, cost }) => of.dataset !== chosenField.dataset && cost <= chosenCost,
    );
    if (rival) this.addOtherFieldDoubt(term, chosenField, rival.of);
    return chosenField;
  }
  listDirectCandidates(
    homeDataset: string,
    options: readonly FieldCandidate[],
    from = homeDataset,
    isOfUnmentionedRole = false,
  ): NameCandidate<PlacedField>[] {
    const candidates = this.listCandidatesOfRoles(homeDataset, options, from, isOfUnmentionedRole);
    if (isOfUnmentionedRole) return candidates;
    const others = this.listCandidatesOfRoles(homeDataset, options, from, true);
    const isSameField = ({ of }: NameCandidate<PlacedField>): boolean =>
      candidates.some((candidate) => candidate.of.field === of.field);
    return [...candidates, ...listEquallyNearCandidates(candidates, others.filter(isSameField))];
  }
  private listCandidatesOfRoles(
    homeDataset: string,
    options: readonly FieldCandidate[],
    from: string,
    isOfUnmentionedRole: boolean,
  ): NameCandidate<PlacedField>[] {
    const hopsByPath = new Map(this.listReachablePathsFrom(from).map((item) => [item.path, item.hops]));
    const homePaths = this.listReachablePathsFrom(homeDataset);
    // If `from` is reachable only through a role, its fields cost no extra hops. For example, in "exams of teachers in
    // Art", the teacher is the examiner, not the mentor.
    const roleOnly = homePaths.some(({ path }) => path === from) ? null : this.dataset(from).name;
    return options.filter(isSingleField).flatMap(({ dataset, role, fields, loose }) =>
      homePaths
        .filter(
          (item) =>
            item.dataset === dataset &&
            (role ? item.path === role : this.isUnmentionedRole(homeDataset, item) === isOfUnmentionedRole),
        )
        .map(({ path, hops }) => ({
          of: { path, field: fields[0]!, dataset: this.vocabulary.dataset(dataset) },
          key: `${path}.${fields[0]!.name}`,
          cost: (hopsByPath.get(path) ?? (dataset === roleOnly ? 0 : hops + TO_MANY_COST)) + LOOSE_NAME_COSTS[loose]!,
        })),
    );
  }
  /** Returns the candidates in the role that the preposition names. If there are none, returns all candidates. */
  filterCandidatesByRole<T extends { path: string }>(
    role: string | undefined,
    candidates: readonly NameCandidate<T>[],
  ): readonly NameCandidate<T>[] {
    const matches = role === undefined ? [] : candidates.filter(({ of: { path } }) => this.isNamedForRole(path, role));
    return matches.length > 0 ? matches : candidates;
  }
  private isNamedForRole(path: string, role: string): boolean {
    const root = toVerbRoot(role);
    return (
      this.vocabulary.graph.datasetOf(path) !== path &&
      splitWords(path).some((part) => ROLE_WORDS[role]?.has(part) || derivesFromRoot(part, root))
    );
  }
  /** Finds fields of rows that refer to `homeDataset`, directly or through a linking dataset. */
  listRelatedCandidates(
    homeDataset: string,
    options: readonly FieldCandidate[],
    from = homeDataset,
  ): NameCandidate<FieldOfRelatedRows>[] {
    const { graph, lens } = this.vocabulary;
    return options.filter(isSingleField).flatMap(({ dataset, fields, loose }): NameCandidate<FieldOfRelatedRows>[] => {
      if (dataset === homeDataset || this.reaches(homeDataset, dataset)) return [];
      const placedField = { path: dataset, field: fields[0]!, dataset: this.vocabulary.dataset(dataset) };
      const key = `${dataset}.${fields[0]!.name}`;
      const links = lens.datasets
        .filter(
          ({ name }) =>
            name !== homeDataset && name !== dataset && this.reaches(name, from) && this.reaches(name, dataset),
        )
        .flatMap(({ name }) =>
          graph.paths(name, dataset).map((route) => ({
            of: { path: name, at: { ...placedField, path: route.path } },
            key: `${name} ${key}`,
            label: `${key} through ${name}`,
            cost: BRIDGE_COST + route.hops + graph.paths(name, from)[0]!.hops + LOOSE_NAME_COSTS[loose]!,
          })),
        );
      if (!this.reaches(dataset, from)) return links;
      const routes = graph.paths(dataset, from);
      // A named role that the question doesn't mention is no more likely than another role, such as lead or sponsor of
      // a project.
      const direct = routes.map(({ path, hops, via }) => ({
        of: { path: dataset, via: routes.length > 1 ? path : undefined, at: placedField },
        key: routes.length > 1 ? `${key} by ${path}` : key,
        cost:
          (this.isMentioned(via.at(-1)!) || (routes.length === 1 && links.length === 0)
            ? TO_MANY_COST + hops
            : BRIDGE_COST + 2 * hops) + LOOSE_NAME_COSTS[loose]!,
      }));
      return [...direct, ...links];
    });
  }
  /** Returns true if the relationship has no name, or if the question contains a word of its name. */
  isMentioned({ named, role }: LensRelationship): boolean {
    return !named || this.listRoleWords(role, []).some((part) => this.questionWords.has(part));
  }
  /** Returns the words of the role that aren't in the names of these datasets. */
  private listRoleWords(role: string, datasets: readonly string[]): string[] {
    const { key } = this.vocabulary;
    const titles = datasets
      .map((name) => this.vocabulary.dataset(name))
      .flatMap((item) => [item.name, ...item.synonyms]);
    const titleWords = new Set(titles.flatMap((title) => key(title).split(' ')));
    return key(role)
      .split(' ')
      .filter((part) => !titleWords.has(part));
  }
  /**
   * Returns true if the question doesn't mention the role, and another role leads to the same dataset. For example, for
   * "pupils per teacher", pupils can have a homeroom teacher and other teachers.
   */
  private isUnmentionedRole(homeDataset: string, { dataset, via }: ReachablePath): boolean {
    const { graph, lens } = this.vocabulary;
    const lastStep = via.at(-1);
    if (!lastStep?.named) return false;
    const roleOnlyWords = this.listRoleWords(lastStep.role, [dataset]);
    if (roleOnlyWords.length === 0 || roleOnlyWords.some((part) => this.questionWords.has(part))) return false;
    const isOtherRole = ({ hops, via: steps }: ReachablePath): boolean =>
      hops > 0 && steps.every(({ from, to }) => from.dataset !== homeDataset && to.dataset !== homeDataset);
    return lens.datasets.some(
      ({ name }) =>
        name !== homeDataset &&
        graph.paths(name, homeDataset).length > 0 &&
        graph.paths(name, dataset).some(isOtherRole),
    );
  }
  /** Returns true if `link` has at most one row for each pair of rows from the two datasets. */
  isPureLinkTable(link: string, one: string, other: string): boolean {
    const { primaryKey } = this.vocabulary.dataset(link);
    const columns = this.vocabulary.lens.relationships
      .filter(({ from, to }) => from.dataset === link && (to.dataset === one || to.dataset === other))
      .flatMap(({ from }) => from.columns);
    return primaryKey.length > 1 && primaryKey.every((column) => columns.includes(column));
  }
}

/** Converts a period to filters on a date or on an integer year. */
export const toPeriodFilters = (
  { path, field, year }: PlacedField & { year: boolean },
  { mention }: PeriodTerm,
): Filter[] => {
  const ref = { path, field: field.name };
  const boundFilter = (op: '>=' | '<' | '=', value: string | number): Filter => ({
    field: ref,
    op,
    values: [value],
  });
  if (!year)
    return [
      ...(mention.from ? [boundFilter('>=', mention.from)] : []),
      ...(mention.to ? [boundFilter('<', mention.to)] : []),
    ];
  const yearOf = (text: string): number =>
    text.endsWith('-01-01') ? Number(text.slice(0, 4)) : rejectInterpretation('the field contains only years');
  if (mention.from && mention.to && yearOf(mention.to) === yearOf(mention.from) + 1)
    return [boundFilter('=', yearOf(mention.from))];
  return [
    ...(mention.from ? [boundFilter('>=', yearOf(mention.from))] : []),
    ...(mention.to ? [boundFilter('<', yearOf(mention.to))] : []),
  ];
};
