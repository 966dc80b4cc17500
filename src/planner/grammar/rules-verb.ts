// Verbs that say how two things belong together, who did it and what happened.

import { derives, twinVerb, verbRoot } from '../english/inflection.ts';
import { isFiller } from '../words/filler-words.ts';
import { MONEY_VERBS, relates, verbSenses, verbText } from '../words/lexicon.ts';
import type { Cursor } from './cursor.ts';
import { behindDid, namesEvent } from './event-dates.ts';
import { peekEntity, peekField } from './read-things.ts';
import type { Rule } from './rule.ts';
import { opensRequest } from './rules-request.ts';

const OFTEN =
  /^(?:(?:most|least) (?:often|frequently|commonly|times)|(?:fewest|greatest|largest|highest) (?:times|number))$/;

export const verb: Rule = (c, state) => {
  const token = c.token()!;
  if (token.kind !== 'word' || (c.phrase() && !verbFollowed(c) && !namesEvent(c) && !behindDid(c))) return false;
  // "have performed": only a tense.
  const tense = c.match(/(?:have|has|had|having)(?: ever)?/);
  if (tense > 0 && /(?:ed|en|wn|id|nt|ght|had)$/.test(c.norm(tense)) && verbSenses(c.norm(tense))) {
    c.accept(tense, 'auxiliary');
    return true;
  }
  // "their own dogs" are their dogs.
  if (token.norm === 'own' && /^(?:their|his|her|its|our)$/.test(c.norm(-1))) {
    c.accept(1, 'pronoun');
    return true;
  }
  if (opensRequest(c) && isFiller(token.norm)) return false;
  const senses = verbSenses(token.norm);
  const root = verbRoot(token.norm);
  const schema =
    root.length >= 3 &&
    (/(?:ed|ing|en)$/.test(token.norm) ||
      (token.norm.endsWith('s') && /^(?:who|that|which|whom|does)$/.test(c.norm(-1)))) &&
    [...c.vocabulary.knownWords].some((word) => derives(word, root));
  const twin = twinVerb(token.norm);
  const begins = twin !== null && [...c.vocabulary.knownWords].some((word) => word.startsWith(twin));
  if (!senses && !schema && !begins && !namesEvent(c) && !behindDid(c) && !MONEY_VERBS.has(token.norm)) return false;
  const next = c.token(1);
  // "templates used by a document": of two things, of which the second must follow.
  const behindNoun = /^(?:field|dataset|group|relative|filler)$/.test(c.uses.at(-1)?.as ?? '');
  const named = (ahead: number): boolean =>
    behindNoun && c.token(ahead)?.capital === true && c.values(ahead).length > 0;
  const often = OFTEN.test(c.norm(1) === 'the' ? `${c.norm(2)} ${c.norm(3)}` : `${c.norm(1)} ${c.norm(2)}`);
  if (token.norm === 'used' && !often && ![2, 3, 4, 5, 6, 7].some((ahead) => peekEntity(c, ahead) || named(ahead)))
    return false;
  // "titles containing the": nothing follows that could be contained.
  if (/^(?:a|an|the|any)$/.test(next?.norm ?? '') && !c.token(2)) return false;
  const led =
    next !== undefined && (next.kind !== 'word' || next.capital || c.phrase(1) !== null || c.values(1).length > 0);
  if (
    !often &&
    c.match(/most recently/, 1) === 0 && // "the race that occurred most recently"
    senses?.every((sense) => sense.needs === null) &&
    !schema &&
    !namesEvent(c) &&
    !relates(token.norm, next?.norm, led, /^(?:that|which|who)$/.test(c.norm(-1)))
  )
    return false;
  // "shipping revenue": a verb says something of what was named before it.
  const { shown, entities, conditions, groups } = c.draft;
  const said = shown.length + entities.length + conditions.length + groups.length > 0;
  if (!said && !/^(?:who|that|which|what|has|have|is|are|was|were|did|does|do)$/.test(c.norm(-1))) return false;
  // "what is paid revenue": of the revenue, that which was paid.
  if (!said && /^(?:is|are|was|were)$/.test(c.norm(-1)) && c.phrase(1) !== null) return false;
  const did = c.tokens.slice(0, c.at).some(({ norm }) => norm === 'did');
  c.draft.verbs.push({ text: verbText(token.norm, next?.norm, did), at: c.at, clause: c.clause });
  c.accept(1, 'verb');
  if (/^t[ao]ke?/.test(token.norm)) c.take(/(?:out|up)(?= )/, 'verb');
  state.head = false;
  !(c.norm() === 'some' && c.phrase(1)) &&
    c.take(/(?:something|anything|some|things?)(?= |$)/, 'object') &&
    c.draft.verbs.push({ text: 'something', at: c.at, clause: c.clause });
  if (c.norm() === 'some' && peekEntity(c, 1)) c.accept(1, 'article');
  // "the courses they are arranged to teach": both verbs say it.
  if (c.norm() === 'to' && verbSenses(c.norm(1)) && !c.phrase(1)) {
    c.accept(1, 'link');
    return true;
  }
  if (!groupsBy(c) && c.match(/in (?:total|all)(?= (?:\.|\?)|$)/) === 0)
    c.take(/(?:to|in|at(?! (?:least|most))|from|by|on|with|up|of|as|through)(?= )/, 'link');
  return true;
};

/** "tickets sold by seat category" has a row for each; "sold by agents" and "sold by Ann" say who did it. */
const groupsBy = (c: Cursor): boolean => {
  // What is made is made by somebody.
  if (/^ma(?:de|king|kes?)$/.test(c.norm(-1))) return false;
  const thing = c.norm() === 'by' ? (peekEntity(c, 1) ?? peekField(c, 1)) : null;
  if (!thing || c.values(1).length > 0) return false;
  const last = c.token(thing.length)!;
  const next = c.token(thing.length + 1);
  const named =
    next?.capital ||
    next?.kind === 'quoted' ||
    next?.kind === 'number' ||
    c.match(/named|called|with|whose|who|that/, thing.length + 1) > 0;
  return last.norm === last.stem && !named;
};

/** "reports to Nancy" is a verb even where a field is called reports_to. */
const verbFollowed = (c: Cursor): boolean => c.match(/(?:reports?|reporting|reported) to/) > 0;
