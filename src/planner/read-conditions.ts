// What restricts: "whose title is IT Staff", "in the Rock genre", "Movies playlist", "above 1000 dollars", "has more than
// 10 tracks". Negation belongs to the clause, or to the condition right behind "not".
import type { Operator } from '../lens/intent.ts';
import type { LensField } from '../lens/lens.ts';
import type { Cursor, ValueMatch } from './cursor.ts';
import type { ConditionDraft, ConditionOption, FieldCandidate, FieldSlot } from './draft.ts';
import { isFiller } from './filler-words.ts';
import { AMOUNT_WORDS, COMPARATIVES, SUPERLATIVES, UNIT_WORDS, verbSenses } from './lexicon.ts';
import { fieldsAbout } from './measures.ts';
import { attempt, candidatesOf, isNumeric, peekEntity, peekField } from './read-things.ts';
import { optionsFor, personAt } from './read-values.ts';
import { words } from './vocabulary.ts';

export type Comparison = { op: '=' | '>' | '>=' | '<' | '<=' };
const COMPARISONS: [RegExp, Comparison['op']][] = [
  [/(?:is |are |was |were )?(?:greater|more|larger|higher|bigger|longer) than or equal to/, '>='],
  [/(?:is |are |was |were )?(?:less|lower|smaller|fewer|shorter) than or equal to/, '<='],
  [
    /(?:is |are |was |were )?(?:at least|no less than|no fewer than|not less than|not fewer than|a minimum of|minimum of)/,
    '>=',
  ],
  [
    /(?:is |are |was |were )?(?:at most|no more than|not more than|no greater than|up to|a maximum of|maximum of|not exceeding)/,
    '<=',
  ],
  [/> =|≥/, '>='],
  [/< =|≤/, '<='],
  [
    /(?:is |are |was |were |of |that )?(?:more than|greater than|larger than|higher than|bigger than|longer than|over|above|exceeding|exceeds?|exceeded|beyond|>)/,
    '>',
  ],
  [
    /(?:is |are |was |were |of |that )?(?:less than|fewer than|lower than|smaller than|shorter than|under|below|<)/,
    '<',
  ],
  [/(?:exactly|equal to|equals|=)/, '='],
];
export const readComparison = (c: Cursor): Comparison['op'] | null => {
  for (const [pattern, op] of COMPARISONS) if (c.take(pattern, 'comparison')) return op;
  return null;
};

const COPULA = /(?:is|are|was|were|=|equals?|equal to|called|named|titled|of|being|as|:|has|have)/;
const CONTAINS =
  /(?:that )?(?:(?:contains?|containing|includes?|including|has|have|having|with)(?: the)?(?: (?:phrase|word|words|letter|letters|string|text|substring|term))?(?: the)?|like|matching)/;
const STARTS =
  /(?:that )?(?:starts?|starting|begins?|beginning|started|began)(?: with| by)?(?: the)?(?: letters?| word)?/;
const ENDS = /(?:that )?(?:ends?|ending|ended)(?: with| in)(?: the)?(?: letters?| word)?/;
const EMPTY =
  /(?:(?:is|are|was|were|has been) )?(?:null|missing|empty|blank|unknown|not known|not set|not given|unspecified)/;
const FILLED = /(?:(?:is|are|was|were) )?(?:known|set|given|not null|not missing|not empty|not blank|specified)/;

const plain = ({ length: _length, ...option }: ConditionOption & { length: number }): ConditionOption => option;

export const pushCondition = (
  c: Cursor,
  from: number,
  options: ConditionOption[],
  op: Operator,
  extra: Partial<ConditionDraft> = {},
): ConditionDraft => {
  const made: ConditionDraft = {
    at: from,
    end: c.at,
    text: c.textOf(from, c.at - from),
    options,
    op,
    negated: false,
    clause: c.clause,
    or: false,
    named: false,
    ...extra,
  };
  c.draft.conditions.push(made);
  return made;
};

/** "V1, V2 or V3" behind a first value: further values of the same fields. */
const moreValues = (c: Cursor, options: ConditionOption[]): ConditionOption[] => {
  let all = options;
  for (;;) {
    const joiner = c.match(/(?:, (?:and|or)|,|and|or|vs|versus|compared to|compared with)(?: (?:in|from|the|either))?/);
    if (joiner === 0) return all;
    const candidates = all
      .filter((option) => !option.and)
      .map(
        (option): FieldCandidate => ({
          dataset: option.dataset,
          role: option.role,
          fields: [option.field],
          loose: option.loose,
        }),
      );
    // A named run is only taken on when a dictionary knows it: a comma may begin something else.
    const next = optionsFor(c, candidates, joiner, c.token(joiner)?.kind === 'quoted').filter(
      (option) => option.known || c.token(joiner)?.kind === 'quoted',
    );
    const number = all.every((option) => isNumeric(option.field.datatype));
    if (next.length === 0 || (number && c.token(joiner + 1)?.kind === 'word' && peekEntity(c, joiner + 1))) return all;
    if (/\b(?:vs|versus|compared)\b/.test(c.textOf(c.at, joiner).toLowerCase())) c.draft.compared = true;
    c.accept(joiner, 'conjunction');
    c.accept(next[0]!.length, 'value');
    all = all.flatMap((option) => {
      const added = next.find(
        (one) => one.dataset === option.dataset && one.field === option.field && one.role === option.role,
      );
      return added
        ? [{ ...option, values: [...option.values, ...added.values], known: option.known && added.known }]
        : [];
    });
  }
};

export const unitIs = (unit: string | null, said: string): boolean => {
  if (!unit) return false;
  const key = unit.toLowerCase();
  const known = UNIT_WORDS[key] ?? UNIT_WORDS[key.replace(/s$/, '')];
  return key === said || key.replace(/s$/, '') === said || Boolean(known?.includes(said));
};
const ALL_UNITS = new Set(Object.values(UNIT_WORDS).flat());

/** The unit behind a number, read only when it is one. */
export const readUnit = (c: Cursor): string | null => {
  const token = c.token(0);
  if (
    token &&
    token.kind !== 'quoted' &&
    (ALL_UNITS.has(token.stem) || ALL_UNITS.has(token.norm)) &&
    !peekField(c) &&
    !peekEntity(c)
  ) {
    c.accept(1, 'unit');
    return token.stem;
  }
  return null;
};

const numericFields = (candidates: FieldCandidate[]): FieldCandidate[] =>
  candidates.filter((one) => one.fields.length === 1 && isNumeric(one.fields[0]!.datatype) && !one.fields[0]!.masked);

const asOptions = (candidates: FieldCandidate[], values: (number | string)[]): ConditionOption[] =>
  candidates.map((one) => ({
    dataset: one.dataset,
    role: one.role,
    field: one.fields[0]!,
    values,
    known: true,
    loose: one.loose,
  }));

/** A number with its unit; null when there is none. A unit the field does not have is a fault. */
const readNumber = (c: Cursor): { value: number; unit: string | null } | null => {
  const token = c.token(0);
  if (token?.kind !== 'number') return null;
  c.accept(1, 'number');
  return { value: token.value!, unit: token.unit ?? readUnit(c) };
};

const bindUnit = (c: Cursor, candidates: FieldCandidate[], unit: string | null): FieldCandidate[] | null => {
  if (!unit) return candidates;
  const fitting = candidates.filter(
    (one) =>
      unitIs(one.fields[0]!.unit, unit) || words(one.fields[0]!.name).some((word) => word.replace(/s$/, '') === unit),
  );
  if (fitting.length > 0) return fitting;
  c.draft.faults.push(unit);
  return null;
};

/** field, then what it is compared with. */
export const conditionOnField = (c: Cursor, slot: FieldSlot, from: number, weak = false): ConditionDraft | null => {
  const bound = { named: true, bound: slot.bound, boundRole: slot.boundRole };
  const candidates = slot.candidates;
  return attempt(c, () => {
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
    const between = c.match(/(?:is |are |was |were )?(?:between|from) # (?:and|to) #/);
    if (between > 0) {
      const at = c.at + between - 3;
      const [low, high] = [c.tokens[at]!, c.tokens[at + 2]!];
      c.accept(between, 'comparison');
      const unit = readUnit(c) ?? low.unit ?? high.unit ?? null;
      const numeric = bindUnit(c, numericFields(candidates), unit);
      return numeric && numeric.length > 0 && low.value! <= high.value!
        ? pushCondition(c, from, asOptions(numeric, [low.value!, high.value!]), 'between', { ...bound, negated })
        : null;
    }
    const op = readComparison(c);
    if (op) {
      c.take(/the (?=average)|the(?= average)/, 'article');
      if (op !== '=' && c.take(/(?:the )?(?:overall )?(?:average|avg|mean)(?: (?:value|one))?/, 'average')) {
        const numeric = numericFields(candidates);
        const again = peekField(c);
        if (again?.candidates.some((one) => numeric.some((field) => field.fields[0] === one.fields[0])))
          c.accept(again.length, 'field');
        return numeric.length > 0
          ? pushCondition(c, from, asOptions(numeric, []), op, { ...bound, negated, than: true })
          : null;
      }
      const number = readNumber(c);
      if (!number) return null;
      const numeric = bindUnit(c, numericFields(candidates), number.unit);
      return numeric && numeric.length > 0
        ? pushCondition(c, from, asOptions(numeric, [number.value]), op, { ...bound, negated })
        : null;
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
        anyCase: textual !== 'contains' && text.kind === 'word' && !text.capital,
      });
    }
    const copula = c.match(COPULA);
    const tight = c.match(/(?:is|are|was|were|=|equals?|equal to|called|named|titled|being|:)/) > 0;
    if (copula > 0) c.accept(copula, 'copula');
    if (tight && !negated) negated = c.take(/not/, 'negation');
    c.take(/(?:either|the|one of)/, 'article');
    const options = optionsFor(c, candidates, 0, tight || copula > 0 || !weak);
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
const stopWord = (word: string): boolean => /^(?:the|a|an|of|in|to|by|more|less|at|than|any|no)$/.test(word);

/** Values at the head that may stand without a field: one word in lower case must come from a short dictionary, since long
 *  ones (titles, names) hold ordinary words. A word the grammar itself uses is a value only when it is quoted or unlike it. */
const trustedValues = (c: Cursor): ValueMatch[] => {
  const token = c.token(0);
  if (!token || token.kind === 'quoted') return c.values(0);
  return c.values(0).flatMap(({ length, entries }) => {
    const words = c.tokens.slice(c.at, c.at + length);
    const capital = words.some((word, index) => (word.capital && (index > 0 || c.at > 0)) || /\d/.test(word.text));
    const ordinary = words.every(
      (word) =>
        isFiller(word.norm) ||
        verbSenses(word.norm) !== undefined ||
        SUPERLATIVES.has(word.norm) ||
        /^(?:of|to|in|on|by|for|from|at|with|and|or|not|no|all|any|each|every|more|less|than|most|top|total|average|number|count|sum|who|what|which|that|how|many|much|money|name|time|day|month|year|first|last)$/.test(
          word.norm,
        ),
    );
    const shouted =
      words.every((word) => word.text.length > 1 && word.text === word.text.toUpperCase()) &&
      c.tokens.some((word) => word.text !== word.text.toUpperCase());
    if (ordinary && !(capital && length > 1) && !shouted) return [];
    const kept = entries.filter(
      (entry) => capital || (entry.field.dictionary?.complete && entry.field.dictionary.values.length <= 200),
    );
    return kept.length > 0 ? [{ length, entries: kept }] : [];
  });
};

/** A stored value, with the field or dataset that may stand beside it. */
export const readValueCondition = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const from = c.at;
    c.take(/either/, 'either');
    const both = c.take(/both(?: (?:the|of the))?/, 'both');
    const people = c.vocabulary.lens.datasets.flatMap((dataset) => {
      const display = c.vocabulary.display(dataset.name);
      const found = display.length === 2 ? personAt(c, dataset.name, [display[0]!, display[1]!]) : null;
      return found ? [found] : [];
    });
    const known = people.filter((person) => person.known);
    const matches = trustedValues(c);
    const length = Math.max(matches[0]?.length ?? 0, known[0]?.length ?? 0);
    let options: (ConditionOption & { length: number })[] = [];
    if (known.length > 0 && known[0]!.length >= length) options = known;
    else if (matches.length > 0 && !(people.length > 0 && people[0]!.length > matches[0]!.length)) {
      options = matches[0]!.entries.map((entry) => ({
        dataset: entry.dataset,
        field: entry.field,
        values: [entry.value],
        known: true,
        synonym: entry.synonym,
        loose: 0,
        length: matches[0]!.length,
      }));
    } else if (people.length > 0) options = people;
    if (options.length === 0 || (c.phrase()?.length ?? 0) > options[0]!.length) return null;
    c.accept(options[0]!.length, 'value');
    let all = moreValues(c, options.map(plain));
    if (all.length === 0) return null;
    // "Rock genre", "Prague city", "Movies playlist": the noun behind says which column.
    const noun = c.phrase();
    let named = false;
    let entity = null;
    if (noun) {
      const fields = candidatesOf(noun.terms);
      const dataset = noun.terms.flatMap((term) => (term.kind === 'dataset' ? [term.dataset] : []));
      const byField = all.filter((option) =>
        fields.some((one) => one.dataset === option.dataset && one.fields.includes(option.field)),
      );
      const byDataset = all.filter(
        (option) => dataset.includes(option.dataset) && c.vocabulary.display(option.dataset).includes(option.field),
      );
      const narrowed = byField.length > 0 ? byField : byDataset;
      if (narrowed.length > 0) {
        all = narrowed;
        named = true;
        if (byField.length === 0 || dataset.length > 0) entity = peekEntity(c);
        if (entity) {
          c.draft.entities.push({ at: c.at, text: noun.terms[0]!.kind, dataset: entity.dataset, clause: c.clause });
        }
        c.accept(noun.length, 'field');
      }
    }
    if (both) c.clause.both = true;
    return pushCondition(c, from, all, all[0]!.values.length > 1 ? 'in' : '=', { named });
  });

/** "above 1000 dollars", "older than 20", "cheaper than the average", "3 credits", without a field in front: the one field
 *  of the dataset that the unit, the adjective or the noun behind names. */
export const readBareComparison = (c: Cursor, dataset: string | undefined): ConditionDraft | null =>
  attempt(c, () => {
    if (!dataset) return null;
    const from = c.at;
    const own = c.vocabulary.dataset(dataset).fields.filter((field) => isNumeric(field.datatype) && !field.masked);
    const made = (
      fields: LensField[],
      op: Operator,
      values: number[],
      extra: Partial<ConditionDraft> = {},
    ): ConditionDraft | null =>
      fields.length === 0
        ? null
        : pushCondition(
            c,
            from,
            fields.map((field) => ({ dataset, field, values, known: true, loose: 0 })),
            op,
            { named: true, bound: dataset, ...extra },
          );
    const adjective = c.match(/(?:is |are |was |were )?\S+ than/);
    const sense = adjective > 0 ? COMPARATIVES.get(c.norm(adjective - 2)) : undefined;
    if (sense) {
      c.accept(adjective, 'comparison');
      const about = fieldsAbout(c, dataset, sense.about);
      if (
        c.take(/(?:the )?(?:overall )?(?:average|mean)(?: (?:age|price|weight|height|length|duration|one))?/, 'average')
      )
        return about.length === 1 ? made(about, sense.op, [], { than: true }) : null;
      const number = readNumber(c);
      if (!number) return null;
      const unit = number.unit;
      if (sense.about === 'age') c.take(/years?(?: old)?/, 'unit');
      const fitting = unit ? about.filter((field) => unitIs(field.unit, unit)) : about;
      const measured =
        fitting.length > 0 || !unit
          ? fitting
          : own.filter((field) => unitIs(field.unit, unit) && !/delay|late|wait/.test(field.name));
      return measured.length === 1 ? made(measured, sense.op, [number.value]) : null;
    }
    const counted = c.clause.id > 0 || c.draft.verbs.length > 0;
    const op = readComparison(c) ?? (counted && c.token()?.kind === 'number' ? '=' : null);
    // "above age 40", "above the average age"
    const mean = op && op !== '=' ? c.match(/(?:the )?(?:average|avg|mean)/) : 0;
    const first = op ? peekField(c, mean) : null;
    const before = first ? numericFields(first.candidates) : [];
    if (op && first && before.length > 0 && (mean > 0 || c.token(first.length)?.kind === 'number')) {
      c.accept(mean + first.length, mean > 0 ? 'average' : 'field');
      if (mean > 0) return pushCondition(c, from, asOptions(before, []), op, { named: true, than: true });
      const value = readNumber(c);
      const bound = value && bindUnit(c, before, value.unit);
      return bound && bound.length > 0
        ? pushCondition(c, from, asOptions(bound, [value.value]), op, { named: true })
        : null;
    }
    const number = op && readNumber(c);
    if (!op || !number) return null;
    const next = peekField(c);
    const behind = next ? numericFields(next.candidates) : [];
    if (behind.length > 0 && !number.unit) {
      c.accept(next!.length, 'field');
      return pushCondition(c, from, asOptions(behind, [number.value]), op, { named: true });
    }
    if (!number.unit) return null;
    const fitting = own.filter(
      (field) =>
        unitIs(field.unit, number.unit!) || words(field.name).some((word) => word.replace(/s$/, '') === number.unit),
    );
    const amounts = fitting.filter((field) =>
      words(field.name).some((word) => AMOUNT_WORDS.has(word.replace(/s$/, ''))),
    );
    if (op === '=') return null;
    return made(amounts.length === 1 ? amounts : fitting, op, [number.value]);
  });

/** A word in front of the thing it restricts: a stored value, or what a yes-or-no field asks ("active customers"). */
export const readAdjective = (c: Cursor): ConditionDraft | null =>
  attempt(c, () => {
    const from = c.at;
    const negated = c.take(/(?:not|non|in -|in)(?= )/, 'negation');
    if (!negated) c.take(/-/, 'punctuation');
    const field = peekField(c);
    const flags =
      field?.candidates.filter(
        (one) => one.fields.length === 1 && one.fields[0]!.datatype === 'boolean' && !one.fields[0]!.masked,
      ) ?? [];
    if (field && flags.length > 0 && flags.length === field.candidates.length) {
      c.accept(field.length, 'value');
      const options = flags.map((one) => ({
        dataset: one.dataset,
        role: one.role,
        field: one.fields[0]!,
        values: [!negated],
        known: true,
        loose: one.loose,
      }));
      return pushCondition(c, from, options, '=', { named: true });
    }
    return negated ? null : readValueCondition(c);
  });
