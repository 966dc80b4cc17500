// "shipped", "cancelled", "posted": verbs that say which date of a thing is meant.
import type { LensField } from '../../lens/model/lens.ts';
import { derives, isParticiple, twinVerb, verbRoot } from '../english/inflection.ts';
import { isTemporal } from '../words/datatypes.ts';
import { unitOf } from '../words/time-expressions.ts';
import { words } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { TimeDraft } from './draft.ts';

/** What happens to a thing some time after it came to be: its usual date does not say when. */
const LATER =
  /^(?:ship|deliver|cancel|close|return|refund|renew|expir|resolv|complet|settl|retir|terminat|hir|born|left|approv|activat|deactivat|publish|releas|dispatch|reject|archiv|acknowledg|graduat|promot|discharg|redeem|reactivat|churn|arriv|depart|land|end|finish|reach|pick)/;

export const happensLater = (text: string): boolean => /^\w+ed$/i.test(text) && LATER.test(text.toLowerCase());

const begins = (name: string, text: string): boolean => {
  const first = words(name)[0] ?? '';
  const root = text === 'born' ? 'birth' : verbRoot(text);
  return first === text || derives(first, root);
};

/** The dates of a dataset whose name, or else a synonym, begins with the verb. */
export const datesOf = (c: Pick<Cursor, 'vocabulary'>, dataset: string, text: string): LensField[] => {
  const dates = c.vocabulary.dataset(dataset).fields.filter((field) => isTemporal(field.datatype) && !field.masked);
  const called = (said: string): LensField[] => {
    const own = dates.filter((field) => begins(field.name, said));
    return own.length > 0 ? own : dates.filter((field) => field.synonyms.some((name) => begins(name, said)));
  };
  const found = called(text);
  const twin = found.length === 0 ? twinVerb(text) : null;
  return twin ? called(twin) : found;
};

/** A whole number that is a year: open_year, year_of_founding. */
export const isYear = ({ datatype, name, masked }: LensField): boolean =>
  datatype === 'integer' && !masked && words(name).includes('year');
/** The years of a dataset that a verb says: "founded" and year_of_founding. */
export const yearsOf = (c: Cursor, dataset: string, text: string): LensField[] =>
  c.vocabulary
    .dataset(dataset)
    .fields.filter(
      (field) =>
        isYear(field) &&
        [field.name, ...field.synonyms].some((name) =>
          words(name).some((word) => word !== 'year' && word.length > 2 && begins(word, text)),
        ),
    );

/** "cancelled in 2023" is about the date of that, even where cancelled is a stored value as well; and no title is meant
 *  by a word in lower case that names a date. */
export const saysWhen = (c: Cursor): 'dated' | 'date' | null => {
  const token = c.token();
  if (token?.kind !== 'word' || token.capital || !(isParticiple(token.norm) || behindDid(c))) return null;
  const named = c.vocabulary.lens.datasets.some(({ name }) => datesOf(c, name, token.norm).length > 0);
  if (!named) return null;
  const perPeriod = /^(?:by|per|each|every)$/.test(c.norm(1)) && unitOf(c.token(2)?.stem) !== null;
  return behindDid(c) || c.time(1) || perPeriod || /^(?:a|an|the|any|their|its|his|her)$/.test(c.norm(1))
    ? 'dated'
    : 'date';
};

/** "did … open": a verb in its plain form. */
export const behindDid = (c: Cursor): boolean =>
  c.tokens.slice(0, c.at).some(({ norm }) => /^(?:did|do|does)$/.test(norm)) &&
  !c.draft.verbs.some(({ at }) => at < c.at) &&
  c.vocabulary.lens.datasets.some(({ name }) => datesOf(c, name, c.norm()).length > 0);

/** "hired" where it is a name of hire_date: what was named before was hired. */
export const namesEvent = (c: Cursor): boolean => {
  const phrase = c.phrase();
  const counted = c.draft.shown.at(-1)?.measure;
  // "how many accounts signed up in 2023": right behind what is counted, the second word is no name either.
  const thing = c.draft.entities.at(-1);
  const behind =
    (counted && counted.kind !== 'aggregate' && counted.at + counted.text.split(' ').length === c.at) ||
    (thing && thing.at + thing.text.split(' ').length === c.at) ||
    /^(?:who|that|which|has|have|was|were)$/.test(c.norm(-1));
  const two = phrase?.length === 2 && behind && /^(?:at|on|up|in|off|out)$/.test(c.norm(1));
  return (
    phrase !== null &&
    (phrase.length === 1 || two === true) &&
    phrase !== null &&
    isParticiple(c.norm()) &&
    phrase.terms.every((term) => term.kind === 'field' && (isTemporal(term.field.datatype) || isYear(term.field)))
  );
};

/** The verb that a time stands behind: the nearest one since the time before it, or any when it is the only time. */
export const verbsFor = (c: Cursor, time: TimeDraft | undefined, dates: (text: string) => number): string[] => {
  const { verbs, times } = c.draft;
  const dated = verbs.filter(({ text }) => dates(text) > 0);
  if (!time) return dated.map(({ text }) => text);
  const from = Math.max(-1, ...times.filter((one) => one.at < time.at).map((one) => one.at));
  const near = dated.filter(({ at }) => at > from && at < time.at).at(-1);
  // "raised and resolved in 2024": both in it, which is left to the asker.
  const twin = near && dated.find(({ at }) => at === near.at - 2 && /^(?:and|or)$/.test(c.tokens[near.at - 1]!.norm));
  return near ? [...(twin ? [twin.text] : []), near.text] : times.length === 1 ? dated.map(({ text }) => text) : [];
};

/** A later event that nothing of the lens dates. */
export const undated = (c: Cursor, time: TimeDraft, datasets: string[]): string | null => {
  const { verbs, times } = c.draft;
  const from = Math.max(-1, ...times.filter((one) => one.at < time.at).map((one) => one.at));
  const found = verbs.find(({ text, at }) => at > from && (at < time.at || times.length === 1) && LATER.test(text));
  if (!found) return null;
  const root = verbRoot(found.text);
  const named = datasets.some((dataset) =>
    [dataset, ...c.vocabulary.dataset(dataset).synonyms].some((name) =>
      words(name).some((word) => word.startsWith(root)),
    ),
  );
  return named ? null : found.text;
};
