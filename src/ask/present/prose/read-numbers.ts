// Reads the numbers in prose, for comparison with rows. Anything that looks like a number but can't be read becomes a
// number without a value, so that unusual spelling doesn't bypass the check.

import type { KnownNames } from '../known-names.ts';

export interface NumberToken {
  text: string;
  at: number;
  end: number;
  /** Null if the text looks like a number but the value isn't clear. */
  value: number | null;
  /** The digits as written, without grouping. */
  digits: string;
  /** The largest possible rounding error of the number as written. */
  maxRoundingError: number;
  isPercent: boolean;
  /** True if the number contains a word, as in "two" or "9 million". */
  containsWord: boolean;
}

const SCALE_FACTORS: Record<string, number> = {
  ...{ k: 1e3, thousand: 1e3, tausend: 1e3, tsd: 1e3 },
  ...{ m: 1e6, mn: 1e6, mio: 1e6, million: 1e6, millions: 1e6, millionen: 1e6 },
  ...{ b: 1e9, bn: 1e9, mrd: 1e9, billion: 1e9, billions: 1e9, milliarde: 1e9, milliarden: 1e9 },
  ...{ tn: 1e12, trillion: 1e12, trillions: 1e12 },
};
const COUNTING_WORDS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
/**
 * Leaves out "one", "second" and "quarter": the first two occur in ordinary sentences, and a quarter is a part of the
 * year.
 */
const NUMBER_WORDS = `${COUNTING_WORDS.slice(2).join(' ')} zero (?:thir|four|fif|six|seven|eigh|nine)teen \\p{L}*(?:twen|thir|for|fif|six|seven|eigh|nine)ty
  \\p{L}*hundreds? \\p{L}*thousands?\\p{L}* \\p{L}*milli(?:on|ard)\\p{L}* \\p{L}*billi(?:on|ard)\\p{L}* \\p{L}*trillion\\p{L}*
  lakhs? crores? dozens? half halves twice thrice double[ds]? triple[ds]? quadrupled? thirds? (?:a|one|three)[\\s-]quarters?
  zwei drei vier fünf sechs sieben acht neun zehn elf zwölf (?:drei|vier|fünf|sech|sieb|acht|neun)zehn \\p{L}*(?:zwan|vier|fünf|sech|sieb|acht|neun)zig
  \\p{L}*dreißig \\p{L}*hundert\\p{L}* \\p{L}*tausend\\p{L}* \\p{L}*dutzend hälfte doppelt\\p{L}* dreifach\\p{L}*`;
const NUMBER_WORD_PATTERN = `(?<![\\p{L}\\p{N}])(?:${NUMBER_WORDS.trim().split(/\s+/).join('|')})(?![\\p{L}\\p{N}])|[〇零一二三四五六七八九十百千万萬億亿兆]+`;
const ANY_NUMBER_PATTERN = new RegExp(`\\p{N}|${NUMBER_WORD_PATTERN}`, 'iu');

/** Whether a cell contains a digit or a number word. */
export const containsNumber = (text: string): boolean => ANY_NUMBER_PATTERN.test(text);

/**
 * Returns the numbers in order of appearance, without numbers that are part of a name. Yields so that other requests can
 * run.
 */
export function* readNumbers(text: string, names: KnownNames): Generator<void, NumberToken[]> {
  const maskedText = text.replace(ID_OR_URL_PATTERN, (match) => ' '.repeat(match.length));
  let rest = yield* names.removeNames(maskedText, containsNumber);
  const numbers = readDigitNumbers(rest);
  for (const { at, end } of numbers) rest = rest.slice(0, at) + ' '.repeat(end - at) + rest.slice(end);
  for (const { 0: word, index: position } of rest.matchAll(new RegExp(NUMBER_WORD_PATTERN, 'giu'))) {
    const count = COUNTING_WORDS.indexOf(word.toLowerCase());
    const number = { text: word, at: position, end: position + word.length, digits: count < 0 ? word : String(count) };
    numbers.push({
      ...number,
      value: count < 0 ? null : count,
      maxRoundingError: 0,
      isPercent: false,
      containsWord: true,
    });
  }
  numbers.sort((item, other) => item.at - other.at);
  return joinWordNumbers(text, numbers);
}

const ID_OR_URL_PATTERN = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|https?:\/\/\S+/gi;
const DIGITS_PATTERN = '(?:\\d{1,3}(?:,\\d{3})+|\\d+)';
const NUMBER_PATTERN = new RegExp(
  `^(?<sign>[-−‐–+]?)[$€£¥]?(?<after>-?)(?<whole>${DIGITS_PATTERN})(?<fraction>\\.\\d+)?(?:e(?<power>[-+]?\\d{1,3}))?(?<unit>k|m|mn|bn|[%$€£¥])?$`,
  'iu',
);
const RANGE_PATTERN = new RegExp(`^(${DIGITS_PATTERN}(?:\\.\\d+)?%?)[-‐–—/:](${DIGITS_PATTERN}(?:\\.\\d+)?%?)$`, 'u');
/** Matches the text between two separators. A colon or comma between digits isn't a separator. */
const TEXT_BETWEEN_SEPARATORS_PATTERN = /(?:[^\s(){}[\]<>|;"“”„«»=*_~`≈:,]|:(?<=\d:)(?=\d)|,(?<=\d,)(?=\d))+/gu;
const FOLLOWING_UNIT_PATTERN = new RegExp(
  `^[ \\u00a0\\u202f-]?(${Object.keys(SCALE_FACTORS).join('|')}|percent|prozent|%)(?![\\p{L}\\p{N}])`,
  'iu',
);
/** Groups of three digits with spaces between them can be either one number or several numbers. */
const GROUPED_DIGITS_PATTERN = /^[\s\u00a0\u2009\u202f]\d{3}(?![\d.,]*\p{L})(?!\d)/u;

const MAX_PART_LENGTH = 100;

function readDigitNumbers(text: string): NumberToken[] {
  const numbers: NumberToken[] = [];
  let nextStart = 0;
  for (const { 0: part, index } of text.matchAll(TEXT_BETWEEN_SEPARATORS_PATTERN)) {
    if (index < nextStart || !/\p{N}/u.test(part)) continue;
    const digits =
      part.length > MAX_PART_LENGTH ? part : part.replace(/^[‘’']+/, '').replace(/(?:['’]s)?[.,:!?…'’]*$/, '');
    const position = index + part.indexOf(digits);
    const [, low, high] = (!ISO_MONTH_PATTERN.test(digits) && RANGE_PATTERN.exec(digits)) || [];
    if (low && high)
      numbers.push(readNumber(text, low, position), readNumber(text, high, position + digits.length - high.length));
    else numbers.push(readNumber(text, digits, position));
    nextStart = numbers.at(-1)!.end;
  }
  return numbers;
}
const ISO_MONTH_PATTERN = /^\d{4}-\d\d$/;

function readNumber(text: string, numberText: string, position: number): NumberToken {
  const toUnreadable = (end: number): NumberToken => {
    const token = text.slice(position, end);
    return {
      text: token,
      at: position,
      end,
      value: null,
      digits: token,
      maxRoundingError: 0,
      isPercent: false,
      containsWord: false,
    };
  };
  let end = position + numberText.length;
  const parts = NUMBER_PATTERN.exec(numberText)?.groups;
  if (!parts || (parts['sign'] && parts['after'])) return toUnreadable(end);
  if (/^[-−‐–+]?\d{1,3}$/.test(numberText) && GROUPED_DIGITS_PATTERN.test(text.slice(end))) {
    while (GROUPED_DIGITS_PATTERN.test(text.slice(end))) end += 4;
    return toUnreadable(end);
  }
  const unitMatch = FOLLOWING_UNIT_PATTERN.exec(text.slice(end));
  if (unitMatch) end += unitMatch[0].length;
  const unit = (parts['unit'] ?? '').toLowerCase();
  const scale = (SCALE_FACTORS[unit] ?? 1) * (SCALE_FACTORS[unitMatch?.[1]?.toLowerCase() ?? ''] ?? 1);
  const fraction = parts['fraction'] ?? '';
  const digits = `${/[-−‐–]/.test(`${parts['sign']}${parts['after']}`) ? '-' : ''}${parts['whole']!.replaceAll(',', '')}${fraction}${parts['power'] ? `e${parts['power']}` : ''}`;
  return {
    text: text.slice(position, end),
    at: position,
    end,
    value: Number(digits) * scale,
    digits,
    maxRoundingError: parts['power'] ? 0 : (10 ** -Math.max(0, fraction.length - 1) / 2) * scale,
    isPercent: unit === '%' || /^(?:%|p)/i.test(unitMatch?.[1] ?? ''),
    containsWord: scale !== 1,
  };
}

/** Words that belong together ("two hundred") form one number that can't be read. */
function joinWordNumbers(text: string, numbers: readonly NumberToken[]): NumberToken[] {
  const joinedNumbers: NumberToken[] = [];
  for (const number of numbers) {
    const last = joinedNumbers.at(-1);
    const between = last ? text.slice(last.end, number.at) : '';
    // Reads "76K and 74K" as two numbers, and "two hundred and five" as one number.
    const areSeparate = between.includes('and') && /\d/.test(number.text);
    if (last?.containsWord && number.containsWord && !areSeparate && /^(?:[\s-]|and )+$/.test(between)) {
      const joinedText = text.slice(last.at, number.end);
      joinedNumbers[joinedNumbers.length - 1] = {
        ...last,
        text: joinedText,
        end: number.end,
        value: null,
        digits: joinedText,
      };
    } else joinedNumbers.push(number);
  }
  return joinedNumbers;
}
