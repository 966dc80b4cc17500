// The frame of a sentence: punctuation, question words, links, and words no lens can answer.

import { isFiller } from '../words/filler-words.ts';
import { SUPERLATIVES, UNANSWERABLE } from '../words/lexicon.ts';
import type { Cursor } from './cursor.ts';
import { isMeasure } from './draft.ts';
import { measureAgain } from './measure-again.ts';
import { peekEntity, peekField } from './read-things.ts';
import { namesLetter } from './read-value-condition.ts';
import type { Rule } from './rule.ts';

export const punctuation: Rule = (c, state) => {
  const token = c.token()!;
  if (token.kind !== 'punct') return false;
  if (/^[.?!]$/.test(token.norm)) {
    c.accept(1, 'punctuation');
    if (!c.done()) {
      c.newClause(false);
      state.head = true;
      state.open = [];
      c.draft.sentences.push(c.draft.shown.length);
    }
    return true;
  }
  if (/^[,;:"()]$/.test(token.norm)) {
    c.accept(1, 'punctuation');
    return true;
  }
  const before = c.token(-1);
  const after = c.token(1);
  if (token.norm === '-' && before?.end === token.start && after?.start === token.end) {
    c.accept(1, 'punctuation');
    return true;
  }
  return false;
};

export const refusedWords: Rule = (c) => {
  const token = c.token()!;
  // "what is a booking" asks for a meaning, not for rows.
  const meaning = c.at === 0 ? c.match(/what (?:is|are) an?/) : 0;
  if (meaning > 0 && /^[?.]?$/.test(c.norm(meaning + (c.phrase(meaning)?.length ?? 1)))) {
    c.unread.push(c.textOf(0, meaning));
    c.at += meaning;
    return true;
  }
  if (token.kind !== 'word' || !UNANSWERABLE.has(token.norm) || c.phrase() || c.time()) return false;
  c.unread.push(token.text);
  c.at++;
  return true;
};

/** Words that stand for everything there is. */
export const everything: Rule = (c) =>
  c.take(
    /(?:in|of|from|within|across) (?:the|our|this) (?:whole |entire )?(?:company|organi[sz]ation|database|dataset|data set|system|business)(?= (?:\.|\?|,)|$)/,
    'everything',
  ) ||
  c.take(/(?:in total|overall|altogether|all together|in all)(?= (?:\.|\?|are|is|were|was)|$)/, 'everything') ||
  c.take(/(?:(?:are|is|were|was) )?(?:listed|on (?:file|record))(?= (?:\.|\?)|$)/, 'everything') ||
  (!c.vocabulary.phrases.has('world') &&
    c.take(/(?:in|around|across|of|throughout) the (?:whole |entire )?world(?= (?:\.|\?|,)|$)/, 'everything'));

/** "what does X …": what is asked for has been named, the rest says of what. */
export const auxiliary: Rule = (c, state) => {
  if (c.draft.shown.length === 0 || c.draft.shown.some((item) => item.measure)) return false;
  if (!c.take(/(?:does|do|did)(?! not)/, 'filler')) return false;
  state.head = false;
  return true;
};

/** "and how many do they have": what was ranked by is shown too. */
export const reference: Rule = (c) => {
  const idiom = c.match(
    /(?:did|do|have|has|had) we (?:make|made|have|had|earn|earned|generate|generated|get|got|do|did|see|seen)/,
  );
  if (idiom > 0 && c.draft.shown.some((item) => item.measure)) {
    c.accept(idiom, 'filler');
    return true;
  }
  const pronoun = c.match(
    /(?:did|do|does|have|has) (?:they|he|she|it|(?:this|that) (?:person|one))(?: (?:have|has|had|make|made|place|placed|spend|spent))?/,
  );
  if (pronoun > 0 && c.draft.shown.at(-1)?.measure) {
    c.accept(pronoun, 'pronoun');
    return true;
  }
  // "Return the codes and counts."
  const again = c.draft.sentences.length > 0 && /^(?:and|,|the|their)$/.test(c.norm(-1)) ? measureAgain(c) : null;
  if (again) {
    c.accept(1, 'measure');
    c.draft.shown.push({ measure: again });
    return true;
  }
  const measured = c.draft.ranks.find((one) => one.by !== null && isMeasure(one.by));
  if (!measured?.by || !isMeasure(measured.by)) return false;
  const length = c.match(
    /(?:, )?(?:and )?(?:also )?(?:how many|how much|what)(?: (?:do|does|did|are|is|were|was))* (?:they|he|she|it|those|these|(?:this|that) (?:person|one))(?: (?:have|has|had|hold|make|made|spend|spent))?(?= (?:\.|\?)|$)/,
  );
  if (length > 0) {
    c.accept(length, 'measure');
    c.draft.shown.push({ measure: measured.by });
    return true;
  }
  // "and what are those sizes", "and also what are the sales": the last word of what ranks.
  const asked = c.match(/(?:, )?(?:and )?(?:also )?what (?:are|is|were|was) (?:those|these|the|their|its)/);
  const noun = asked > 0 ? c.token(asked) : undefined;
  if (noun?.kind !== 'word' || !/^[.?]?$/.test(c.norm(asked + 1))) return false;
  const named = measured.by.text.toLowerCase().split(' ').at(-1) ?? '';
  if (named.replace(/s$/, '') !== noun.norm.replace(/s$/, '')) return false;
  c.accept(asked + 1, 'measure');
  c.draft.shown.push({ measure: measured.by });
  return true;
};

/** "compare … and …", "versus": side by side, never summed up. */
export const comparing: Rule = (c) => {
  if (!c.take(/(?:compare|comparing|compared (?:to|with)|comparison of|versus|vs)(?: \.(?= ))?(?: the)?/, 'comparison'))
    return false;
  c.draft.compared = true;
  return true;
};

export const quantifier: Rule = (c, state) => {
  if (c.take(/(?:different|distinct|unique)/, 'distinct')) {
    c.draft.distinct = true;
    return true;
  }
  // "only" restricts nothing more where one value of one column follows.
  if (
    c.match(/(?:only|just|solely|exclusively)/) > 0 &&
    (c.values(1).length > 0 || c.time(1) || c.match(/(?:in|from|for|during|at|of)/, 1) > 0)
  ) {
    c.accept(1, 'restriction');
    state.only = true;
    return true;
  }
  // "both the id and the name", "the corresponding date": fields to show.
  if (state.head && c.norm() === 'including' && c.draft.shown.length > 0) {
    const ahead = c.match(/including(?: (?:the|their|its))?/);
    if (peekField(c, ahead) && c.values(ahead).length === 0) {
      c.accept(ahead, 'conjunction');
      return true;
    }
  }
  const spare = state.head ? c.match(/(?:both|corresponding|respective)(?: the)?/) : 0;
  if (spare > 0 && peekField(c, spare) && !peekEntity(c, spare)) {
    c.accept(spare, 'quantifier');
    return true;
  }
  const or = c.tokens.slice(c.at).some(({ norm }) => norm === 'or');
  // "customers with all orders", "whose orders were all in 2023": true of every one of them, which nothing here says.
  if (
    c.norm() === 'all' &&
    c.clause.id > 0 &&
    !state.head &&
    (peekEntity(c, 1) || /^(?:is|are|was|were)$/.test(c.norm(-1)))
  )
    c.draft.faults.push('all');
  // "those employees who …"
  if (/^(?:those|these)$/.test(c.norm()) && peekEntity(c, 1)) return c.take(/those|these/, 'quantifier');
  return c.take(/(?:all(?: of)?|any)/, 'quantifier') || (or && c.take(/either/, 'quantifier'));
};

/** "which region is Oslo in?": the preposition belongs to the word that asks, and Oslo is named as what it is. */
const stranded = (c: Cursor): boolean => {
  const last = c.draft.conditions.at(-1);
  if (
    !/^(?:in|at|from|on|to|for|of)$/.test(c.norm()) ||
    !/^(?:|\.|\?)$/.test(c.norm(1)) ||
    !c.tokens.slice(0, 3).some(({ norm }) => /^(?:which|what|where)$/.test(norm)) ||
    last?.end !== c.at
  )
    return false;
  c.accept(1, 'link');
  if (last.options.every(({ dataset, field }) => c.vocabulary.display(dataset).includes(field))) last.named = true;
  return true;
};

export const link: Rule = (c, state) => {
  if (stranded(c)) return true;
  const length = c.match(
    /(?:as well as|along with|together with|of|for|from|in|to|at|on|with|by|and|also|their|his|her|its|they|them|he|she|it|who|what|which|that|within|among)(?= )/,
  );
  if (length === 0 || !c.token(1)) return false;
  const word = c.norm();
  // "her customers" restricts, unless somebody was named before.
  if (/^(?:his|her|he|she)$/.test(word) && c.draft.conditions.length === 0) return false;
  if (/^(?:of|for|from|in|at|on|to|by|with|within|among)$/.test(word)) {
    if (!leadsSomewhere(c)) return false;
    c.accept(1, 'link');
    if (c.draft.shown.length > 0) {
      const named = peekEntity(c) ?? (/^(?:the|all|our|those|these)$/.test(c.norm()) ? peekEntity(c, 1) : null);
      state.head = state.head && (named !== null || namesOfField(c)) && state.open.length > 0;
    }
    return true;
  }
  if (
    /^(?:what|who|which)$/.test(word) &&
    c.at > 0 &&
    !/^(?:\.|\?|and|,|in|please|me|us|list|know|tell|;)$/.test(c.norm(-1))
  )
    return false;
  c.accept(length, /^(?:and|as|also|along|together)$/.test(word) ? 'conjunction' : 'question');
  return true;
};

/** "the names of all composers", where a composer is a field of tracks. */
const namesOfField = (c: Cursor): boolean => {
  const last = c.draft.shown.at(-1)?.slot;
  const ahead = c.match(/(?:(?:the|all|our|different|distinct) )*(?:the|all|our|different|distinct)/);
  const field = last && !last.bound && /^names?$/i.test(last.text) && c.norm(-1) === 'of' ? peekField(c, ahead) : null;
  return field?.candidates.every(({ fields, loose }) => fields[0]!.datatype === 'string' && loose < 2) ?? false;
};

/** A preposition is read only in front of something that can be read as a thing, a value or a date. */
const leadsSomewhere = (c: Cursor): boolean => {
  let ahead = 1;
  while (
    /^(?:the|these|those|a|an|all|any|our|their|its|his|her|either|both|each|every|different|distinct|which|what)$/.test(
      c.norm(ahead),
    )
  )
    ahead++;
  const token = c.token(ahead);
  if (!token) return false;
  return (
    token.kind !== 'word' ||
    token.capital ||
    c.phrase(ahead) !== null ||
    c.values(ahead).length > 0 ||
    c.time(ahead) !== null ||
    SUPERLATIVES.has(token.norm) ||
    c.match(/(?:only|not|how many|people|those|them)/, ahead) > 0
  );
};

/** "would you", "I would like", "find out"; but "what would revenue be" and "out of stock" say more. */
const POLITE: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  would: [/^(?:i|we|you|it|they)$/, /^(?:you|i|we|it|be|like|anyone|someone|somebody|please)$/],
  could: [/^(?:i|we|you|it)$/, /^(?:you|i|we|it|anyone|someone|somebody|please)$/],
  like: [/^(?:would|could|should|'d|\w+'d|i|we|you|look|looks|d)$/, /^$/],
  out: [
    /^(?:find|figure|work|point|list|print|write|give|check|read|spell|single|pick|went|go|goes|gone|carried|sent|lent|turned)$/,
    /^$/,
  ],
};

const politeHere = (c: Cursor): boolean => {
  const sides = Object.hasOwn(POLITE, c.norm()) ? POLITE[c.norm()] : undefined;
  return !sides || sides[0].test(c.norm(-1)) || (c.norm(1) !== '' && sides[1].test(c.norm(1)));
};

/** "missions and the ships involved", "what is the largest ship called": the end of a question that says no more. */
const closing = (c: Cursor): boolean => {
  const { entities, shown, conditions } = c.draft;
  if (!/^(?:|[.?!])$/.test(c.norm(1)) || c.clause.negated) return false;
  const last = entities.at(-1);
  if (/^(?:involved|concerned)$/.test(c.norm()))
    return (
      last !== undefined &&
      last.at + last.text.split(' ').length === c.at &&
      (entities.some(({ dataset }) => dataset !== last.dataset) ||
        shown.some(({ slot }) => slot?.candidates.every(({ dataset }) => dataset !== last.dataset))) &&
      c.take(/involved|concerned/, 'filler')
    );
  const asks = /^what$/.test(c.tokens[0]?.norm ?? '') && conditions.every(({ end }) => end !== c.at);
  return asks && shown.length === 1 && shown[0]!.entity !== undefined && c.take(/called|named/, 'filler');
};

export const filler: Rule = (c) => {
  if (closing(c)) return true;
  const token = c.token()!;
  if (c.take(/(?:corresponding|respective)(?= (?:number|count|total|average|sum|maximum|minimum) )/, 'filler'))
    return true;
  if (token.kind !== 'word' || !isFiller(token.norm) || !politeHere(c) || namesLetter(c)) return false;
  // "US" is a country where "us" is polite, and nobody is polite behind "from the": such a word must be a value or unplaced.
  const capitals = token.text.length > 1 && token.text === token.text.toUpperCase();
  const meant = capitals && (c.values(0).length > 0 || !c.tokens.every(({ text }) => text === text.toUpperCase()));
  const place =
    token.norm === 'us'
      ? !/^(?:give|show|tell|let|help|allow|remind|get|find|send|bring|report|provide)$/.test(c.norm(-1))
      : c.values(0).length > 0 && /^(?:from|in|of|for|within|at|outside)$/.test(c.norm(-1));
  if (meant || place || (c.phrase() && peekField(c)?.candidates.some((one) => one.loose === 0))) return false;
  c.accept(1, 'filler');
  return true;
};
