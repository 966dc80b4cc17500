// What restricts: "whose title is IT Staff", "in the Rock genre", "Movies playlist", "above 1000 dollars", "has more than
// 10 tracks". Negation belongs to the clause, or to the condition right behind "not".

import { COMPARATIVES, SUPERLATIVES } from '../words/lexicon.ts';
import { isPercent } from '../words/percent.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import { dateCondition } from './date-condition.ts';
import type { ConditionDraft, FieldCandidate, FieldSlot } from './draft.ts';
import { moreValues, plain, pushCondition } from './push-condition.ts';
import { asOptions, inUnits, numericFields, readComparison, readNumber, readUnit } from './read-comparison.ts';
import { attempt, peekEntity, peekField } from './read-things.ts';
import { optionsFor } from './read-values.ts';

const COPULA =
  /(?:is|are|was|were|=|equals?|equal to|called|named|titled|(?:described|listed|recorded|given|stated|classified|categori[sz]ed|marked) as|of|being|as|:|has|have)/;
const CONTAINS =
  /(?:that )?(?:(?:contains?|containing|includes?|including|has|have|having|with)(?: the)?(?: (?:phrase|word|words|letter|letters|string|text|substring|term))?(?: the)?|like|matching)/;
const STARTS =
  /(?:that )?(?:starts?|starting|begins?|beginning|started|began)(?: with| by)?(?: the)?(?: letters?| word)?/;
const ENDS = /(?:that )?(?:ends?|ending|ended)(?: with| in)(?: the)?(?: letters?| word)?/;
const EMPTY =
  /(?:(?:is|are|was|were|has been) )?(?:null|missing|empty|blank|unknown|not known|not set|not given|unspecified)/;
const FILLED = /(?:(?:is|are|was|were) )?(?:known|set|given|not null|not missing|not empty|not blank|specified)/;

/** field, then what it is compared with. */
export const conditionOnField = (c: Cursor, slot: FieldSlot, from: number, weak = false): ConditionDraft | null => {
  const bound = { named: true, bound: slot.bound, boundRole: slot.boundRole };
  const candidates = slot.candidates;
  return attempt(c, () => {
    // "a state whose name contains North": the name of it is what it holds.
    if (candidates.every((one) => one.fields.length === 1 && one.fields[0]!.datatype === 'string'))
      c.take(/whose (?:name|value)(?= (?:is|starts?|contains?|begins?|ends?|includes?|has|have))/, 'relative');
    c.take(
      /(?:that|which)(?= (?:is|are|was|were|starts?|contains?|begins?|ends?|exceeds?|has|have|does|do))/,
      'relative',
    );
    let negated = c.take(/(?:is|are|was|were|does|do|did) not|not|isn't|doesn't|aren't|wasn't|don't/, 'negation');
    if (c.take(EMPTY, 'empty'))
      return pushCondition(
        c,
        from,
        asOptions(
          candidates.filter((one) => one.fields.length === 1),
          [],
        ),
        negated ? 'is_not_null' : 'is_null',
        bound,
      );
    if (!negated && c.take(FILLED, 'not empty'))
      return pushCondition(
        c,
        from,
        asOptions(
          candidates.filter((one) => one.fields.length === 1),
          [],
        ),
        'is_not_null',
        bound,
      );
    const dated = negated ? null : dateCondition(c, candidates, from, bound, weak);
    if (dated) return dated;
    const between = c.match(/(?:is |are |was |were )?(?:between|from) # (?:and|to) #/);
    if (between > 0) {
      const at = c.at + between - 3;
      const [low, high] = [c.tokens[at]!, c.tokens[at + 2]!];
      c.accept(between, 'comparison');
      const unit = readUnit(c) ?? low.unit ?? high.unit ?? null;
      const options = inUnits(c, numericFields(candidates), [low.value!, high.value!], unit);
      return options.length > 0 && low.value! <= high.value!
        ? pushCondition(c, from, options, 'between', { ...bound, negated })
        : null;
    }
    // "whose weight is heavier than 10"
    const adjective = c.match(/(?:is |are |was |were )?\S+ than/);
    const sense = adjective > 0 ? COMPARATIVES.get(c.norm(adjective - 2)) : undefined;
    if (sense) c.accept(adjective, 'comparison');
    const op = sense?.op ?? readComparison(c);
    if (op) {
      c.take(/the (?=average)|the(?= average)/, 'article');
      if (op !== '=' && c.take(/(?:the )?(?:overall )?(?:average|avg|mean)(?: (?:value|one))?/, 'average')) {
        const numeric = numericFields(candidates);
        // "greater than the average of all revenues"
        const all = c.match(/of (?:all(?: the)?|the)/);
        if (
          all > 0 &&
          peekField(c, all)?.candidates.some((one) => numeric.some((field) => field.fields[0] === one.fields[0]))
        )
          c.accept(all, 'average');
        const again = peekField(c);
        if (again?.candidates.some((one) => numeric.some((field) => field.fields[0] === one.fields[0])))
          c.accept(again.length, 'field');
        averagedOver(c, numeric);
        return numeric.length > 0
          ? pushCondition(c, from, asOptions(numeric, []), op, { ...bound, negated, than: true })
          : null;
      }
      const number = readNumber(c);
      if (!number) return null;
      const options = inUnits(c, numericFields(candidates), [number.value], number.unit);
      return options.length > 0 ? pushCondition(c, from, options, op, { ...bound, negated }) : null;
    }
    // "a discount of 20 %"
    const share = c.match(/(?:(?:is|are|was|were|of|=) )?#/);
    if (share > 0 && isPercent(c.token(share - 1)!.unit ?? c.norm(share))) {
      if (share > 1) c.accept(share - 1, 'copula');
      const { value, unit } = readNumber(c)!;
      const options = inUnits(c, numericFields(candidates), [value], unit);
      return options.length > 0 ? pushCondition(c, from, options, '=', { ...bound, negated }) : null;
    }
    for (const [pattern, textual] of [
      [STARTS, 'starts_with'],
      [ENDS, 'ends_with'],
      [CONTAINS, 'contains'],
    ] as const) {
      const length = c.match(pattern);
      if (length === 0) continue;
      const text = c.token(length);
      const strings = candidates
        .filter((one) => one.fields.length === 1)
        .flatMap((one) =>
          one.fields
            .filter((field) => field.datatype === 'string' && !field.masked)
            .map((field) => ({ ...one, fields: [field] })),
        );
      const said =
        /\b(?:phrase|word|words|letter|letters|string|text|substring|term)\b/.test(c.textOf(c.at, length)) ||
        textual !== 'contains' ||
        /contain|includ|like|match/.test(c.textOf(c.at, length));
      if (
        !text ||
        (text.kind !== 'quoted' &&
          !(
            said &&
            (text.kind === 'word' || text.kind === 'number') &&
            (!stopWord(text.norm) || text.capital || text.norm.length === 1)
          ))
      )
        continue;
      if (strings.length === 0) return null;
      if (
        text.kind !== 'quoted' &&
        c.token(length + 1) &&
        !c.match(/(?:in|at|\.|,|\?|and|or|sorted|ordered|by)/, length + 1) &&
        c.token(length + 1)!.kind !== 'punct'
      )
        return null;
      c.accept(length, 'comparison');
      c.accept(1, 'value');
      c.take(/in (?:them|it|their names?|its names?|their titles?|the name|the title)/, 'pronoun');
      return pushCondition(c, from, asOptions(strings, [text.text]), textual, {
        ...bound,
        negated,
      });
    }
    // "the word count of the 5 articles with …" is no word count of 5, nor are "the speeds of the five longest rides" one of 5.
    const many = c.match(/of(?: the)? #/);
    const ranked = many > 0 && (SUPERLATIVES.has(c.norm(many)) || /^(?:most|least)$/.test(c.norm(many)));
    if (ranked || (many === 3 && peekEntity(c, many))) return null;
    const within = weak ? null : placed(c, candidates);
    if (within) {
      const all = moreValues(c, within.map(plain));
      return all.length > 0
        ? pushCondition(c, from, all, all[0]!.values.length > 1 ? 'in' : '=', { ...bound, negated })
        : null;
    }
    const copula = c.match(COPULA);
    const tight = c.match(/(?:is|are|was|were|=|equals?|equal to|called|named|titled|being|:)/) > 0;
    if (copula > 0) c.accept(copula, 'copula');
    if (tight && !negated) negated = c.take(/not/, 'negation');
    c.take(/(?:either|the|one of)/, 'article');
    const open =
      copula === 0 && c.token()?.kind === 'number'
        ? candidates.filter((one) => !isPartOfSynonym(one, slot))
        : candidates;
    const options = optionsFor(c, open, 0, tight || copula > 0 || !weak);
    if (options.length === 0) return null;
    const known = options.some((option) => option.known);
    if (!known && weak && !tight) return null;
    c.accept(options[0]!.length, 'value');
    const all = moreValues(c, options.map(plain));
    return all.length > 0
      ? pushCondition(c, from, all, all[0]!.values.length > 1 ? 'in' : '=', { ...bound, negated })
      : null;
  });
};
/** "revenue times 2", where days to ship are called shipping time too: the last word of that is no name of theirs. */
const isPartOfSynonym = ({ fields, loose }: FieldCandidate, { text }: FieldSlot): boolean =>
  loose === 2 && fields.every(({ name }) => phraseKey(name).split(' ').at(-1) !== phraseKey(text).split(' ').at(-1));
/** "with headquarters in Austin", "whose head office is located at Austin": a place that the field is known to hold. */
const placed = (c: Cursor, candidates: FieldCandidate[]): ReturnType<typeof optionsFor> | null => {
  const length = c.match(
    /(?:(?:is|are|was|were) )?(?:(?:located|based|situated|found) )?(?:in|at)(?: either)?(?: the)?/,
  );
  if (length === 0) return null;
  // A name is nowhere: "clients in Hamburg" are no clients called so.
  const texts = candidates.filter(
    ({ dataset, fields, loose }) =>
      loose === 0 &&
      fields.length === 1 &&
      fields[0]!.datatype === 'string' &&
      !c.vocabulary.display(dataset).includes(fields[0]!),
  );
  const options = optionsFor(c, texts, length, false).filter(({ known }) => known);
  if (options.length === 0) return null;
  c.accept(length, 'copula');
  c.accept(options[0]!.length, 'value');
  return options;
};
/** "the average price of products": of all of them. "… of products in the West" would be another average. */
export const averagedOver = (c: Cursor, numeric: FieldCandidate[]): void => {
  const length = c.match(/(?:of|across|over|among|for)(?: (?:all|the|of the|our))*/);
  const entity = length > 0 ? peekEntity(c, length) : null;
  if (!entity || !numeric.some(({ dataset }) => dataset === entity.dataset)) return;
  c.accept(length + entity.length, 'average');
  if (c.token() && !c.match(/(?:\.|\?|!|,|and|but|or|sorted|ordered|by|per|for each|in each|grouped)/))
    c.draft.faults.push(c.token()!.text);
};
const stopWord = (word: string): boolean => /^(?:the|a|an|of|in|to|by|more|less|at|than|any|no)$/.test(word);
