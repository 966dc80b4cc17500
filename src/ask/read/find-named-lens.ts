// Recognizes a turn that only names a lens. svc asks the caller to name a lens if several lenses fit the previous
// question.
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { findChosenOption } from '../../reader/answered-back.ts';
import type { AskedQuestion } from './plan-question.ts';

export interface NamedLens {
  /** The conversation without the turns that only name a lens. */
  askedQuestion: AskedQuestion;
  /** The most recently named lens. */
  lens: ServedLens | null;
  /** True if the last turn only names a lens, so that the question is the turn before it. */
  isNameOnly: boolean;
}

const MAX_NAME_LENGTH = 80;

export function findNamedLens(lenses: readonly ServedLens[], askedQuestion: AskedQuestion): NamedLens {
  const options = lenses.flatMap(({ name, lens }) => [
    { key: name, label: lens.title, meaning: null },
    { key: name, label: `svc/${name}`, meaning: null },
    { key: name, label: `${name} lens`, meaning: null },
  ]);
  const questions = [...(askedQuestion.context ?? []), askedQuestion.question];
  const names = questions.map((question, index) =>
    index === 0 || question.length > MAX_NAME_LENGTH || question.includes('?') ? null : lensNameIn(options, question),
  );
  const lastName = names.findLast((name) => name !== null) ?? null;
  const remainingTurns = questions.filter((_turn, index) => names[index] === null);
  return {
    askedQuestion: { ...askedQuestion, question: remainingTurns.at(-1)!, context: remainingTurns.slice(0, -1) },
    lens: lenses.find(({ name }) => name === lastName) ?? null,
    isNameOnly: names.at(-1) !== null,
  };
}

function lensNameIn(options: { key: string; label: string; meaning: null }[], question: string): string | null {
  const matches = new Set(
    options.flatMap(
      (option) =>
        findChosenOption({ kind: 'ambiguous_term', term: 'lens', message: '', options: [option] }, question) ?? [],
    ),
  );
  const [first, second] = matches;
  return first && !second ? first : null;
}
