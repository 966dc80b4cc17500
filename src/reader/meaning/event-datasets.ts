// Distinguishes datasets of events, such as orders, from datasets of lasting things, such as customers.

import { isTemporal } from '../../contract/warehouse.ts';
import type { LensDataset, LensField } from '../../lens/model/lens.ts';
import { expandAbbreviations } from '../../lens/model/name-words.ts';
import { toSingular } from '../../lens/model/singular.ts';
import { splitWords } from '../words/phrase-key.ts';
import type { Vocabulary } from '../words/vocabulary.ts';

const EVENT_NOUNS: ReadonlySet<string> = new Set(
  'order invoice sale visit booking payment transaction shipment event flight rental trip appointment enrolment enrollment bill receipt ticket incident accident crash claim complaint request call message session purchase donation refund delivery transfer inspection treatment reading review survey response post comment match'.split(
    ' ',
  ),
);
const BIRTH_DATE_PATTERN = /birth|born|(?:^|_)dob(?:$|_)/i;
const START_DATE_PATTERN =
  /^(?:hired?|hiring|join(?:ed|ing)?|enrol\w*|regist\w*|sign\w*|install\w*|opened|opening|founded|founding|creat\w*|insert\w*|added|entered|entry|intro\w*|launch\w*|start\w*|begin\w*|began|since|acqui\w*|admi(?:tted|ssion)|establish\w*|built|onboard\w*|commission(?:ed|ing))$/;
const DATE_NOUN_PATTERN = /^(?:date|day|time|datetime|timestamp|at|on)$/;
const MIN_SHARED_LETTERS = 4; // the minimum number of letters that a noun and its verb share

export const isEventName = (name: string): boolean =>
  splitWords(name).some((word) => EVENT_NOUNS.has(toSingular(word)));
/** Returns true if the field is the start date of something that can last. */
export const isStartDate = ({ name }: Pick<LensField, 'name'>): boolean =>
  expandAbbreviations(name)
    .split(' ')
    .some((word) => START_DATE_PATTERN.test(word));
const toWordRoot = (word: string): string => word.slice(0, MIN_SHARED_LETTERS);

/**
 * Returns true if the rows are events, judging by their name, by their date ("exam date"), or because no other dataset
 * refers to them.
 */
export const isEventDataset = ({ lens }: Vocabulary, { name, fields, timeField }: LensDataset): boolean => {
  const date = timeField ?? fields.find(({ datatype, masked }) => isTemporal(datatype) && !masked)?.name ?? '';
  const [firstWord, second] = splitWords(date).filter((word) => !DATE_NOUN_PATTERN.test(word));
  const isSingleWord = firstWord !== undefined && second === undefined && firstWord.length >= MIN_SHARED_LETTERS;
  return (
    isEventName(name) ||
    (isSingleWord && splitWords(name).map(toWordRoot).includes(toWordRoot(firstWord))) ||
    !lens.relationships.some(({ from, to }) => to.dataset === name && from.dataset !== name)
  );
};

/**
 * Returns true if the field is the date of an event. A date of birth isn't the date of an event. A start date is the
 * date of an event only if the dataset has the name of an event.
 */
export const isEventDate = (vocabulary: Vocabulary, dataset: LensDataset, date: LensField): boolean =>
  isEventDataset(vocabulary, dataset) &&
  !BIRTH_DATE_PATTERN.test(date.name) &&
  (isEventName(dataset.name) || !isStartDate(date));
