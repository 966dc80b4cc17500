// Selects the date of a row's event, such as an order date but not a due or change date, and gives the reason.
import { isTemporal } from '../../../contract/warehouse.ts';
import type { RowClassification } from './classify-rows.ts';
import type { NamedColumn } from './schema-words.ts';

export interface EventDate {
  /** Null if the table has no event date or several possible event dates. */
  column: string | null;
  reason: string;
  /** The dates of the same kind if there are several. In this case, svc selects no date. */
  ambiguousColumns: string[];
}
/** Words in the names of other dates, such as due, change, end and cancellation dates, and birthdays. */
const OTHER_DATE_PATTERN =
  /\b(?:birth|dob|born|death|died|due|expir\w*|valid|until|thru|to|end|ended|ends|finish\w*|complet\w*|clos\w*|cancel\w*|delet\w*|remov\w*|retir\w*|terminat\w*|term|left|leav\w*|last|next|updat\w*|modif\w*|chang\w*|edit\w*|deliver\w*|return\w*|resolv\w*|settle\w*|settlement|paid|promis\w*|expect\w*|plan\w*|schedul\w*|target|load\w*|etl|import\w*|sync\w*|extract\w*|ingest\w*|process\w*|refresh\w*|archiv\w*|verif\w*|approv\w*|review\w*|rmv|effective|maturity|ship|shipped|shipping|cancellation|read|seen)\b/;
const EVENT_WORD_PATTERN =
  /\b(?:order|bought|purchased|ordered|invoice|sale|event|transaction|trade|payment|booking|purchase|call|visit|booked|placed|occurr\w*|happen\w*|sold|billed|held|filed|visited|scanned|reading|measure\w*|observ\w*|record\w*|taken|counted|count|snapshot|as of|post\w*|publish\w*|issued|request\w*|report\w*|played|watched|logged|sent|reference|period|month end|quarter end|year end|week end|value)\b/;
const BEGINNING_EVENT_PATTERN =
  /\b(?:start\w*|begin\w*|began|hire\w*|hiring|join\w*|enrol\w*|regist\w*|sign\w*|signup|open\w*|install\w*|installation|found\w*|launch\w*|since|introduc\w*|intro|admi\w*|acqui\w*|releas\w*|establish\w*|built|from)\b/;
const START_WORD_PATTERN = /\b(?:start\w*|begin\w*|from)\b/;
const ENTRY_WORD_PATTERN = /\b(?:creat\w*|insert\w*|added|entered|entry|recorded at)\b/;
/** A booking has two dates: when it was made and when it begins. "In May" can mean either date. */
const BOOKING_WORD_PATTERN = /\b(?:book\w*|request\w*|reserv\w*|placed|order|ordered)\b/;
const PLAIN_DATE_NAME_PATTERN = /^(?:date|day|time|timestamp|datetime|date time|moment|ts|at|on)$/;

/** The kinds are in order of preference. */
const DATE_KINDS = [
  { reason: 'the date of the row itself', fits: (words: string, ownDate: RegExp) => ownDate.test(words) },
  {
    reason: 'when it happened',
    fits: (words: string) => EVENT_WORD_PATTERN.test(words) && !ENTRY_WORD_PATTERN.test(words),
  },
  { reason: 'the only plain date', fits: (words: string) => PLAIN_DATE_NAME_PATTERN.test(words) },
  {
    reason: 'the only date that fits',
    fits: (words: string) => !BEGINNING_EVENT_PATTERN.test(words) && !ENTRY_WORD_PATTERN.test(words),
  },
  { reason: 'when it begins', fits: (words: string) => BEGINNING_EVENT_PATTERN.test(words) },
  { reason: 'when the row was entered', fits: () => true },
];

export function findEventDate(columns: readonly NamedColumn[], rowNoun: string, rows: RowClassification): EventDate {
  const dates = columns.filter(({ datatype }) => isTemporal(datatype));
  const choose = (date: NamedColumn, reason: string): EventDate => ({
    ...{ column: date.name, ambiguousColumns: [] },
    reason: [reason, describeFillRate(date), ...dates.filter((other) => other !== date).map(describeRejection)]
      .filter(Boolean)
      .join('; '),
  });
  const askFor = (ambiguousDates: NamedColumn[]): EventDate => ({
    ...{ column: null, reason: '', ambiguousColumns: ambiguousDates.map(({ name }) => name) },
  });
  const period = dates.find(({ name }) => name === rows.period);
  if (rows.kind !== 'things' && period) return choose(period, rows.evidence);
  const eligibleDates = dates.filter(
    (date) =>
      !isMostlyEmpty(date) &&
      (!OTHER_DATE_PATTERN.test(withoutPeriodEnd(date.words)) || isEventOfRow(date.words, rowNoun)),
  );
  const ownDatePattern = new RegExp(
    `^(?:${rowNoun.split(' ').join('|')}) (?:date|time|day|timestamp|datetime|at|on|ts)\\b`,
  );
  for (const { reason, fits } of DATE_KINDS) {
    const matches = eligibleDates.filter(({ words }) => fits(words, ownDatePattern));
    const [date, ...rivals] = matches;
    if (!date) continue;
    if (rivals.length > 0) return askFor(matches);
    const otherStarts = eligibleDates.filter((other) => other !== date && START_WORD_PATTERN.test(other.words));
    return BOOKING_WORD_PATTERN.test(date.words) && otherStarts.length > 0
      ? askFor([date, ...otherStarts])
      : choose(date, reason);
  }
  return askFor([]);
}
const isMostlyEmpty = ({ profile }: NamedColumn): boolean => profile !== undefined && profile.nulls * 2 > profile.rows;
const describeFillRate = ({ name, profile }: NamedColumn): string =>
  !profile || profile.rows === 0
    ? ''
    : profile.nulls === 0
      ? `${name} is never empty`
      : `${name} is filled in ${profile.rows - profile.nulls} of ${profile.rows} rows`;
const describeRejection = (date: NamedColumn): string =>
  isMostlyEmpty(date)
    ? `not ${date.name}, empty in ${date.profile!.nulls} of ${date.profile!.rows} rows`
    : `not ${date.name}`;
/** A column "month end" contains the date of a snapshot, not the end of an event. */
const withoutPeriodEnd = (words: string): string => words.replace(/\b(year|month|quarter|week|period) end\b/, '$1');
/** The name "shipped" is the date of a shipment, but "ended" isn't the date of a session. */
const isEventOfRow = (words: string, rowNoun: string): boolean => {
  const [firstWord = '', ...otherWords] = words.split(' ');
  const hasRowNoun = rowNoun.split(' ').some((word) => word.length > 4 && firstWord.slice(0, 5) === word.slice(0, 5));
  return (
    (hasRowNoun && !OTHER_DATE_PATTERN.test(otherWords.join(' '))) ||
    (firstWord === 'paid' && /\bpayment$/.test(rowNoun)) ||
    (firstWord === 'read' && /\bread(?:ing)?$/.test(rowNoun))
  );
};
