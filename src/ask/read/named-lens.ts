// Recognizes a turn that only names a lens. svc asks for a lens if several can read the previous question.
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { chosenOption } from '../../reader/answered-back.ts';
import type { AskedQuestion } from './plan-question.ts';

export interface Named {
  /** The conversation without such turns. */
  asked: AskedQuestion;
  /** The most recently named lens. */
  lens: ServedLens | null;
  /** The last turn named the lens, so the question is the turn before it. */
  just: boolean;
}

const MAX_NAME_LENGTH = 80;

export function namedLens(lenses: readonly ServedLens[], asked: AskedQuestion): Named {
  const options = lenses.flatMap(({ name, lens }) => [
    { key: name, label: lens.title, meaning: null },
    { key: name, label: `svc/${name}`, meaning: null },
    { key: name, label: `${name} lens`, meaning: null },
  ]);
  const questions = [...(asked.context ?? []), asked.question];
  const names = questions.map((question, index) =>
    index === 0 || question.length > MAX_NAME_LENGTH || question.includes('?') ? null : lensNameIn(options, question),
  );
  const last = names.findLast((name) => name !== null) ?? null;
  const remaining = questions.filter((_turn, index) => names[index] === null);
  return {
    asked: { ...asked, question: remaining.at(-1)!, context: remaining.slice(0, -1) },
    lens: lenses.find(({ name }) => name === last) ?? null,
    just: names.at(-1) !== null,
  };
}

function lensNameIn(options: { key: string; label: string; meaning: null }[], question: string): string | null {
  const found = new Set(
    options.flatMap(
      (option) =>
        chosenOption({ kind: 'ambiguous_term', term: 'lens', message: '', options: [option] }, question) ?? [],
    ),
  );
  const [first, second] = found;
  return first && !second ? first : null;
}
