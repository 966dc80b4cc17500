import type { FieldRef } from '../../lens/model/intent.ts';
import { pathTo } from '../../lens/model/join-paths.ts';
import type { LensField } from '../../lens/model/lens.ts';
import type { Reach } from '../words/join-graph.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { Unreadable } from './unreadable.ts';

export const refuse = (words: string | string[], message?: string): never => {
  throw new Unreadable(null, [words].flat(), message);
};

export interface Candidate {
  dataset: string;
  role?: string;
  field: LensField;
  loose: number;
}
export interface Mention {
  text: string;
  at: number;
  bound?: string;
  boundRole?: string;
  beside?: string;
}

/** How a dataset is written in a path from a home; more than one: the roles the question must choose from. */
export const pathsFrom = (c: Cursor, home: string, dataset: string, role?: string): string[] => {
  const { graph, lens } = c.vocabulary;
  const all = graph
    .paths(home, dataset)
    .filter((step) => !role || step.path === role || step.via.some((one) => one.role === role));
  if (all.length === 0) return [];
  const fewest = Math.min(...all.map((step) => step.hops));
  const nearest = all.filter((step) => step.hops === fewest);
  return nearest.flatMap((step) => {
    if (step.hops === 0) return [dataset];
    if (step.ambiguous) return [`${step.path}?1`, `${step.path}?2`];
    const word =
      nearest.length === 1 && step.hops === 1 && step.path !== dataset && graph.paths(home, dataset).length === 1
        ? step.path
        : step.path;
    return pathTo(lens, home, word).kind === 'path' ? [word] : [step.via.map((one) => one.role).join('.')];
  });
};

const meaningOf = (field: LensField): string | null => field.description;

/** The option that the asker chose before; else the question back which one is meant. */
export const askWhich = <T extends { key: string; field: LensField }>(
  c: Cursor,
  term: string,
  options: readonly T[],
  message?: string,
): T => {
  const unique = [...new Map(options.map((option) => [option.key, option])).values()];
  const list = unique.map(({ key }) => key).join(' or ');
  const said = c.choices[term] ?? c.choices[term.toLowerCase()] ?? c.choices[list];
  const called = unique.filter(({ key }) => key === said);
  const chosen = called.length > 0 ? called : unique.filter(({ field }) => said !== undefined && field.name === said);
  if (chosen.length === 1) return chosen[0]!;
  const plain =
    unique.length === 1 ? `Say whether "${term}" is about ${list}` : `"${term}" can mean ${list}. Say which`;
  throw new Unreadable(
    {
      kind: 'ambiguous_term',
      term,
      message: `${message ?? plain}${said ? `; "${said}" is none of them` : ''}.`,
      options: unique.slice(0, 50).map(({ key, field }) => ({
        key,
        label: key.replaceAll('_', ' ').replace('.', ' '),
        meaning: meaningOf(field),
      })),
    },
    [term],
  );
};

const rankOf = (c: Cursor, mention: Mention, candidate: Candidate, home: string | null): number => {
  if (mention.bound) return candidate.dataset === mention.bound ? 0 : 100;
  if (mention.beside === candidate.dataset) return 0;
  const { entities } = c.draft;
  const own = entities.filter(
    (entity) =>
      entity.dataset === candidate.dataset && (!candidate.role || !entity.role || entity.role === candidate.role),
  );
  const adjacent = own.some((entity) => entity.at > mention.at && entity.at - mention.at <= 2);
  if (adjacent) return 1;
  const before = own.filter((entity) => entity.at < mention.at);
  if (before.length > 0) {
    const nearest = Math.min(...before.map((entity) => mention.at - entity.at));
    return 2 + nearest / 1000;
  }
  if (home && candidate.dataset === home) return 3;
  if (own.length > 0) return 4;
  return 10;
};

/** "template ids" are those of the templates, whatever else refers to a template. */
const itsKey = <T extends Candidate>(c: Cursor, candidates: readonly T[]): T | null => {
  const { dataset, lens } = c.vocabulary;
  const keys = candidates.filter((one) => !one.role && dataset(one.dataset).primaryKey.join() === one.field.name);
  const [key] = keys;
  if (!key || keys.length > 1) return null;
  const refers = (other: T): boolean =>
    lens.relationships.some(
      ({ from, to }) =>
        from.dataset === other.dataset && from.columns.join() === other.field.name && to.dataset === key.dataset,
    );
  return candidates.every((one) => one === key || refers(one)) ? key : null;
};

/** A key and the column that refers to it hold the same for every row that leads to both: then the nearer of the two. */
const sameKey = <T extends Candidate>(c: Cursor, candidates: readonly T[], home: string): T | null => {
  const { graph, lens } = c.vocabulary;
  const hops = ({ dataset }: T): number => graph.paths(home, dataset)[0]?.hops ?? Number.POSITIVE_INFINITY;
  const [near, far] = [...candidates].sort((one, other) => hops(one) - hops(other));
  if (candidates.length !== 2 || hops(far!) !== hops(near!) + 1 || near!.role || far!.role) return null;
  if ([near!, far!].some(({ dataset }) => graph.paths(home, dataset).length !== 1)) return null;
  const refers = lens.relationships.some(
    ({ from, to }) =>
      from.dataset === near!.dataset &&
      to.dataset === far!.dataset &&
      from.columns.join() === near!.field.name &&
      to.columns.join() === far!.field.name,
  );
  return refers ? near! : null;
};

/** The one candidate that the words mean. `home` null while it is not known yet. */
export const choose = <T extends Candidate>(
  c: Cursor,
  mention: Mention,
  candidates: readonly T[],
  home: string | null,
  /** The rows are settled: not a guess whose they may be. */
  settled = false,
): T => {
  const said = c.choices[mention.text] ?? c.choices[mention.text.toLowerCase()];
  if (said) {
    const picked = candidates.filter(
      (one) => said === `${one.role ?? one.dataset}.${one.field.name}` || said === one.field.name,
    );
    if (picked.length === 1) return picked[0]!;
  }
  if (candidates.length === 0) return refuse(mention.text);
  if (candidates.length === 1) return candidates[0]!;
  const ranked = candidates.map((candidate) => ({ candidate, rank: rankOf(c, mention, candidate, home) }));
  let best = Math.min(...ranked.map(({ rank }) => rank));
  if (best >= 10 && home) {
    // Nobody named a dataset: only a candidate that a row of the home leads to, when it is the only one.
    const near = ranked.filter(({ candidate }) => c.vocabulary.graph.paths(home, candidate.dataset).length > 0);
    if (near.length === 1) return near[0]!.candidate;
    const tight = near.filter(({ candidate }) => candidate.loose === 0);
    if (tight.length === 1 && near.every(({ candidate }) => candidate === tight[0]!.candidate || candidate.loose === 2))
      return tight[0]!.candidate;
    best = 10;
  }
  const first = ranked.filter(({ rank }) => rank === best).map(({ candidate }) => candidate);
  const tightest = Math.min(...first.map(({ loose }) => loose));
  const left = first.filter(({ loose }) => loose === tightest);
  // "the state with the most bank customers": of the customers, or of the bank that stands in front of them?
  const theirs = mention.bound
    ? []
    : candidates.filter(({ dataset, loose }) => loose === tightest && c.draft.owners.includes(dataset));
  if (left.length === 1 && theirs.length > 0 && !theirs.includes(left[0]!)) left.push(...theirs);
  if (left.length === 1) return left[0]!;
  const column = (home && settled && sameKey(c, left, home)) || itsKey(c, left);
  if (column) return column;
  return askWhich(
    c,
    mention.text,
    left.map((one) => ({ key: `${one.role ?? one.dataset}.${one.field.name}`, field: one.field, one })),
  ).one;
};

/** "pupils per teacher" where a pupil has a homeroom teacher and other teachers besides: which is meant was not said. */
export const unsaidRole = (c: Cursor, home: string, step: Reach): boolean => {
  const { graph, lens } = c.vocabulary;
  const last = step.via.at(-1);
  const elsewhere = lens.datasets.some(
    ({ name }) =>
      name !== home &&
      graph.paths(name, home).length > 0 &&
      graph
        .paths(name, step.dataset)
        .some(({ hops, via }) => hops > 0 && via.every(({ from, to }) => from.dataset !== home && to.dataset !== home)),
  );
  if (!last?.named || !elsewhere) return false;
  const titles = lens.datasets
    .filter(({ name }) => name === step.dataset)
    .flatMap((one) => [one.name, ...one.synonyms]);
  const own = new Set(titles.flatMap((title) => phraseKey(title).split(' ')));
  const special = phraseKey(last.role)
    .split(' ')
    .filter((word) => !own.has(word));
  return special.length > 0 && !special.some((word) => c.tokens.some((token) => token.stem === word));
};

export const refuseUnsaidRole = (c: Cursor, home: string, path: string, text: string): void => {
  const step = [...c.vocabulary.graph.reach(home).values()].find((one) => one.path === path);
  if (step && unsaidRole(c, home, step))
    refuse(text, `"${text}" could be ${path.replaceAll('_', ' ')} or another of ${step.dataset}; say which.`);
};

const unreached = ({ vocabulary: { graph } }: Cursor, text: string, home: string, dataset: string): string => {
  const [one, other] = [home, dataset].map((name) => name.replaceAll('_', ' '));
  return graph.paths(dataset, home).length > 0
    ? `A row of ${one} can have several of ${other}, and so several "${text}". Ask for a number of ${other}, or by what ${one} have one of.`
    : `No row of ${one} has one "${text}", which is of ${other}. Ask about one of the two, or by what ${one} have one of.`;
};

/** The reference to a field from a home; asks back when two roles lead there. */
export const refTo = (c: Cursor, mention: Mention, home: string, candidate: Candidate): FieldRef => {
  const role = candidate.role ?? mention.boundRole;
  const paths = pathsFrom(c, home, candidate.dataset, role);
  if (paths.length === 0) return refuse(mention.text, unreached(c, mention.text, home, candidate.dataset));
  const said = c.choices[mention.text];
  const picked =
    paths.length > 1 && said
      ? paths.filter((path) => said === path || said === `${path}.${candidate.field.name}`)
      : paths;
  if (picked.length === 1) {
    if (!role && !said) refuseUnsaidRole(c, home, picked[0]!, mention.text);
    return { path: picked[0]!, field: candidate.field.name };
  }
  const { path } = askWhich(
    c,
    mention.text,
    paths.map((one) => ({ key: `${one}.${candidate.field.name}`, field: candidate.field, path: one })),
  );
  return { path, field: candidate.field.name };
};
