// Where a condition applies: to the row asked about, to one it leads to, or to related rows on the many side.

import { twinVerb, verbRoot } from '../english/inflection.ts';
import { addsUp } from '../words/adds-up.ts';
import { isNumeric } from '../words/datatypes.ts';
import type { Reach } from '../words/join-graph.ts';
import { verbSenses } from '../words/lexicon.ts';
import { phraseKey, words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { ConditionDraft, ConditionOption, EntityMention, MeasureDraft, Taken } from './draft.ts';
import { nearestNoun, overNoun } from './nearest-noun.ts';
import { askWhich, choose, pathsFrom, refuse, unsaidRole } from './resolve.ts';
import { takenHow, waysOf } from './taken-how.ts';

export interface Placed {
  draft: ConditionDraft;
  option: ConditionOption;
  /** null: plain; else the dataset of the semijoin. */
  through: string | null;
  /** What is compared: a single related row, or what they come to. */
  taken?: Taken;
  /** What they come to: the rows of the home that share its value of this field. */
  sharing?: string;
}

/** "customers who bought shoes" are linked by what they ordered, not by what they reviewed or returned: the link that the
 *  question names, or its verb; else the table that does nothing but link the two. */
export const linksSaid = (c: Cursor, home: string, dataset: string): string[] => {
  const { graph } = c.vocabulary;
  const all = openLinks(c, home, dataset);
  if (all.length < 2) return all;
  const between = (link: string): string[] => [
    link,
    ...[home, dataset].flatMap((end) => openPath(c, link, end)!.via.map((one) => one.to.dataset)),
  ];
  const only = (list: string[]): string[] | null => (list.length === 1 ? list : null);
  const inner = (link: string): string[] => between(link).filter((one) => one !== home && one !== dataset);
  const mentioned = all.filter((link) =>
    inner(link).some((one) => c.draft.entities.some((entity) => entity.dataset === one)),
  );
  const needs = c.draft.verbs.flatMap(({ text }) => [
    verbRoot(text),
    ...(verbSenses(text) ?? []).flatMap((sense) => [...(sense.needs ?? [])]),
  ]);
  const told = (one: string): boolean =>
    [one, ...c.vocabulary.dataset(one).synonyms].some((name) =>
      words(name).some((word) => needs.some((need) => need.length > 3 && word.startsWith(need))),
    );
  const verbal = all.filter((link) => inner(link).some(told));
  const bridges = all.filter((link) => {
    const { primaryKey } = c.vocabulary.dataset(link);
    const ends = [home, dataset].map((end) => graph.paths(link, end)[0]!);
    const columns = ends.flatMap((step) => (step.hops === 1 ? step.via[0]!.from.columns : []));
    return (
      ends.every(({ hops }) => hops === 1) && primaryKey.length > 1 && primaryKey.every((key) => columns.includes(key))
    );
  });
  return only(mentioned) ?? only(verbal) ?? only(verbal.filter(told)) ?? only(bridges) ?? all;
};

const openPath = (c: Cursor, from: string, to: string): Reach | undefined =>
  c.vocabulary.graph.paths(from, to).find((step) => !unsaidRole(c, from, step));

/** The datasets in which both meet without a part that nobody named, but for those that meet them in another one. */
const openLinks = (c: Cursor, home: string, dataset: string): string[] => {
  const { graph, lens } = c.vocabulary;
  const all = graph.allLinks(home, dataset);
  const over = (name: string, nearer: string): boolean =>
    [home, dataset].every((end) => openPath(c, name, end)!.via.some(({ to }) => to.dataset === nearer));
  const open = lens.datasets
    .map(({ name }) => name)
    .filter((name) => openPath(c, name, home) && openPath(c, name, dataset));
  if (all.every((link) => open.includes(link)) || open.length === 0) return all;
  return open.filter((name) => !open.some((nearer) => nearer !== name && over(name, nearer)));
};

const plain = (name: string): string => name.replaceAll('_', ' ');

/** The dataset over which a home and another dataset meet, when the other is on the many side. */
export const throughTo = (c: Cursor, home: string, dataset: string, text: string): string => {
  const { graph } = c.vocabulary;
  const direct = graph.paths(dataset, home);
  // "staff who rented a film to a customer": not the manager of the customer's store.
  if (direct.length > 0 && direct.some((step) => !unsaidRole(c, dataset, step))) return dataset;
  const links = linksSaid(c, home, dataset);
  if (links.length === 1) return links[0]!;
  return refuse(
    text,
    links.length === 0
      ? `Nothing in this lens relates "${text}" to ${plain(home)}. Ask about one of the two.`
      : `"${text}" is related to ${plain(home)} through ${links.map(plain).join(' or ')}. Name the one that is meant.`,
  );
};

export const place = (c: Cursor, draft: ConditionDraft, home: string): Placed => {
  const { graph } = c.vocabulary;
  const reached = (dataset: string): boolean => graph.paths(home, dataset).length > 0;
  let options = draft.options;
  if (!draft.named && options.length > 1) {
    // A bare name beside the thing itself is no category of it: "Rock tracks" are not tracks called Rock.
    const others = options.filter(
      (option) =>
        option.and ||
        !c.vocabulary.display(option.dataset).includes(option.field) ||
        (option.dataset !== home && c.vocabulary.display(option.dataset).length === 1),
    );
    const within = /^(?:in|at|from|within|outside|of|for)$/.test(c.tokens[draft.at - 1]?.norm ?? '');
    if (others.length > 0 && (within || draft.end < c.tokens.length)) options = others;
  }
  const mention = { text: draft.text, at: draft.at, bound: draft.bound, boundRole: draft.boundRole };
  // "whose manager is in Sales" is about the manager, not about the employee.
  const role = draft.clause.relation?.role;
  if (role && c.vocabulary.graph.datasetOf(role) === home && !draft.boundRole) {
    const theirs = options.filter((option) => option.dataset === home && !option.role);
    if (theirs.length !== 1 || options.length !== 1) return refuse([draft.clause.relation!.text, draft.text]);
    draft.boundRole = role;
    return { draft, option: { ...theirs[0]!, role }, through: null };
  }
  const own = selfRole(c, draft, home);
  if (own) {
    const mine = options.filter((option) => option.dataset === home && !option.role);
    if (mine.length !== 1) return refuse(draft.text);
    draft.boundRole = own;
    return { draft, option: { ...mine[0]!, role: own }, through: null };
  }
  const option = chooseOption(c, mention, draft, options, home);
  const noun = nearestNoun(c, draft, home, option.dataset);
  if (noun) {
    const through = throughTo(c, home, noun.dataset, noun.text);
    if (overNoun(c, through, noun, option.dataset)) return { draft, option, through };
    return refuse(draft.text, `Say whether "${draft.text}" is said of ${home} or of ${noun.text}.`);
  }
  if (reached(option.dataset)) return ofShared(c, draft, option, home) ?? { draft, option, through: null };
  if (draft.only)
    return refuse(
      draft.text,
      `"only ${draft.text}" would have to hold for every related row. Say which related rows may not be there: "without …".`,
    );
  const named =
    draft.named ||
    draft.bound !== undefined ||
    c.draft.entities.some(
      (entity) =>
        entity.dataset === option.dataset ||
        (graph.paths(entity.dataset, option.dataset).length > 0 && entity.dataset !== home && !reached(entity.dataset)),
    ) ||
    (draft.clause.relation && graph.paths(draft.clause.relation.dataset, option.dataset).length > 0) ||
    (draft.options.length === 1 && (c.draft.verbs.length > 0 || draft.clause.has === true));
  if (!named) return refuse(draft.text);
  const about =
    draft.clause.relation?.dataset === option.dataset ||
    draft.clause.of === option.dataset ||
    c.draft.entities.some((entity) => entity.dataset === option.dataset);
  // "that ever had 7 bikes available": one time is enough.
  const ever = c.tokens.slice(Math.max(0, draft.at - 5), draft.at).some(({ norm }) => /^n?ever$/.test(norm));
  const one = /^(?:one|any|single)$/.test(c.tokens[draft.at - 1]?.norm ?? '');
  const single = !isNumeric(option.field.datatype) || about || ever || one;
  // "customers with line amount over 100": of one of their lines, or of all together?
  const taken = draft.taken ?? (single ? 'single' : takenBy(c, draft, option));
  const relation = draft.clause.relation?.dataset;
  const viaRelation =
    relation && relation !== home && !reached(relation)
      ? throughTo(c, home, relation, draft.clause.relation!.text)
      : null;
  if (viaRelation && graph.paths(viaRelation, option.dataset).length > 0)
    return { draft, option, through: viaRelation, taken };
  return { draft, option, through: throughTo(c, home, option.dataset, draft.text), taken };
};

/** "orders over 5000", where each row is a line and orders are counted by their number: of one line, or of the order? */
const ofShared = (c: Cursor, draft: ConditionDraft, option: ConditionOption, home: string): Placed | null => {
  const { lens } = c.vocabulary;
  if (option.dataset !== home || draft.than || !/^(?:[<>]=?|between)$/.test(draft.op)) return null;
  if (addsUp(lens, home, option.field) !== 'yes') return null;
  const nouns = [
    ...c.draft.entities.filter(({ dataset }) => dataset === home),
    ...c.draft.shown.flatMap(({ measure }) => (measure?.kind === 'metric' ? [measure] : [])),
  ];
  const noun = nouns.filter(({ at }) => at < draft.at).sort((one, other) => other.at - one.at)[0];
  const sharing = noun && sharedKey(c, home, noun);
  if (!sharing) return null;
  const name = home.replaceAll('_', ' ');
  const taken = takenHow(c, draft.text, home, option.field, {
    total: `the total ${option.field.name.replaceAll('_', ' ')} of each ${sharing.replaceAll('_', ' ')}`,
    single: `any single row of ${name}`,
  });
  return taken === 'total' ? { draft, option, through: home, taken, sharing } : null;
};

/** The column by which rows of a dataset are counted under a name: count(distinct orders.order_id) are the orders. */
const sharedKey = (c: Cursor, home: string, noun: EntityMention | MeasureDraft): string | null => {
  const { lens, dataset } = c.vocabulary;
  const key = phraseKey(noun.text);
  const counted = 'metrics' in noun ? noun.metrics : undefined;
  const keys = (counted ?? lens.metrics).flatMap(({ name, synonyms, expression, filter }) => {
    const [, path, field] = /^\s*count\s*\(\s*distinct\s+(\w+)\.(\w+)\s*\)\s*$/i.exec(expression) ?? [];
    const called = counted !== undefined || [name, ...synonyms].some((one) => phraseKey(one) === key);
    return called && !filter && path === home && field ? [field] : [];
  });
  const [only, more] = new Set(keys);
  return only && !more && dataset(home).primaryKey.join() !== only ? only : null;
};

const takenBy = (c: Cursor, draft: ConditionDraft, { dataset, field }: ConditionOption): Taken => {
  const ways = waysOf(c, dataset, field, `any single one of ${dataset.replaceAll('_', ' ')}`);
  return takenHow(c, draft.text, dataset, field, ways);
};

/** "employees who report to Nancy": the condition is about the row that a row of the same dataset leads to. */
const selfRole = (c: Cursor, draft: ConditionDraft, home: string): string | null => {
  const verb = c.draft.verbs.find(
    (one) => one.at < draft.at && SUPERIOR.test(one.text) && (one.clause === draft.clause || draft.clause.id === 0),
  );
  if (!verb || !draft.options.some((option) => option.dataset === home)) return null;
  const roles = c.vocabulary.lens.relationships.filter((one) => one.from.dataset === home && one.to.dataset === home);
  const upward = /^report/.test(verb.text)
    ? c.tokens[verb.at + 1]?.norm === 'to'
    : c.tokens[verb.at + 1]?.norm === 'by';
  if (roles.length !== 1 || !upward) return refuse([verb.text, draft.text]);
  return roles[0]!.role;
};
const SUPERIOR = /^(?:report|manag|supervis|lead|led|follow|precede|parent)/;

const chooseOption = (
  c: Cursor,
  mention: Parameters<typeof choose>[1],
  draft: ConditionDraft,
  options: ConditionOption[],
  home: string,
): ConditionOption => {
  const { graph } = c.vocabulary;
  if (options.length === 1 || draft.bound) return choose(c, mention, options, home);
  // A value of a parent of a dataset named beside it: "Rock tracks", where Rock is a genre.
  const direct = options.filter(
    (option) => option.dataset === home || c.draft.entities.some((entity) => entity.dataset === option.dataset),
  );
  if (direct.length === 0) {
    const parents = options.filter((option) => graph.paths(home, option.dataset).length > 0);
    // Of the row's own parent, or of something related to it on the many side: not for us to choose.
    const beyond = options.filter(
      (option) => !parents.includes(option) && graph.links(home, option.dataset).length > 0,
    );
    if (parents.length === 1 && beyond.length > 0 && !draft.named)
      return askWhich(
        c,
        draft.text,
        [...parents, ...beyond].map((option) => ({
          key: `${option.role ?? option.dataset}.${option.field.name}`,
          field: option.field,
          option,
        })),
      ).option;
    if (parents.length === 1) return parents[0]!;
    if (parents.length === 0) {
      const linked = options.filter((option) =>
        c.draft.entities.some((entity) => graph.paths(entity.dataset, option.dataset).length > 0),
      );
      if (linked.length === 1) return linked[0]!;
    }
  }
  return choose(c, mention, options, home);
};

/** "started at the Zoo" and the role start. */
export const tells = (said: string, role: string): boolean => {
  const verb = said.trim().split(' ')[0]!;
  const roots = [verbRoot(verb), twinVerb(verb) ?? ''].filter((root) => root.length >= 3);
  return words(role).some(
    (word) => word.length >= 3 && roots.some((root) => word.startsWith(root) || root.startsWith(word)),
  );
};

const PREPOSITION = /^(?:at|in|on|from|to|into|by|near|with|of)$/;
/** "from Boston to Chicago": the preposition or verb in front says which role. */
export const roleBefore = (c: Cursor, at: number, home: string, dataset: string): string | undefined => {
  const roles = pathsFrom(c, home, dataset);
  if (roles.length < 2) return undefined;
  let before = at - 1;
  while (before >= 0 && /^(?:the|a|an|city|of|state|airport|station|country)$/.test(c.tokens[before]!.norm)) before--;
  // "started at the Zoo" is a verb with its preposition; in "how many likes does Kyle have" the word before is a noun.
  const last = c.tokens[before]?.norm ?? '';
  const word = PREPOSITION.test(last) ? `${c.tokens[before - 1]?.norm ?? ''} ${last}` : ` ${last}`;
  const wanted = /(?:^| )from$|depart|leav/.test(word)
    ? /origin|source|depart|from|start|sender|pickup|home/
    : /(?:^| )to$|arriv|into$|land/.test(word)
      ? /dest|target|arriv|to$|end|receiver|recipient|dropoff|away/
      : null;
  const fitting = wanted ? roles.filter((role) => wanted.test(role)) : [];
  if (fitting.length > 0) return fitting.length === 1 ? fitting[0] : undefined;
  // "started and ended at the Zoo" is about both.
  const since = Math.max(-1, ...c.draft.conditions.flatMap(({ end }) => (end <= at ? [end] : [])));
  const verbs = c.draft.verbs.flatMap((one) =>
    one.at < since || one.at > at ? [] : roles.filter((role) => tells(one.text, role)),
  );
  // In "the number of friends Kyle has" the word before is what is counted.
  const thing = PREPOSITION.test(last) ? undefined : c.vocabulary.phrases.get(c.tokens[before]?.stem ?? '');
  const counted = thing?.some((term) => term.kind === 'dataset' && !term.role);
  const told = counted ? [] : roles.filter((role) => tells(word, role));
  return told.length === 1 && new Set(verbs).size < 2 ? told[0] : undefined;
};
