// What happens at a time, and what is there before and after.
import type { LensDataset } from '../../lens/model/lens.ts';
import { isTemporal } from '../words/datatypes.ts';
import { type Vocabulary, words } from '../words/vocabulary.ts';

const EVENT =
  /order|invoice|sale|visit|booking|payment|transaction|shipment|event|flight|rental|trip|appointment|enrol|bill|receipt|ticket|incident|accident|crash|claim|complaint|request|call|message|session|purchase|donation|refund|delivery|transfer|inspection|treatment|reading|review|survey|response|post|comment|match/;
const OF_A_DATE = /^(?:date|day|time|datetime|timestamp|at|on)$/;
const LETTERS = 4; // that a noun and its verb share

export const isEvent = (name: string): boolean => EVENT.test(name);
const rootOf = (word: string): string => word.slice(0, LETTERS);

/** Something that happens: called so, dated by its own name ("exam date"), or referred to by nothing else. A customer or a product is
 *  there before and after. */
export const happens = ({ lens }: Vocabulary, { name, fields, timeField }: LensDataset): boolean => {
  const date = timeField ?? fields.find(({ datatype, masked }) => isTemporal(datatype) && !masked)?.name ?? '';
  const [left, more] = words(date).filter((word) => !OF_A_DATE.test(word));
  const ownName = left !== undefined && more === undefined && left.length >= LETTERS;
  return (
    isEvent(name) ||
    (ownName && words(name).map(rootOf).includes(rootOf(left))) ||
    !lens.relationships.some(({ from, to }) => to.dataset === name && from.dataset !== name)
  );
};
