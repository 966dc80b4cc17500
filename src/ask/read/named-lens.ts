// Recognizes a turn that only names a lens. svc asks for it if several lenses can read the previous question.
import type { ServedLens } from '../../domain/lenses/lens-repository.ts';
import { chosenOption } from '../../reader/answered-back.ts';
import type { AskedQuestion } from './plan-question.ts';

export interface Named {
  /** The conversation without such turns. */
  asked: AskedQuestion;
  /** The lens that was named last. */
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
  const turns = [...(asked.context ?? []), asked.question];
  const names = turns.map((turn, at) =>
    at === 0 || turn.length > MAX_NAME_LENGTH || turn.includes('?') ? null : lensNameIn(options, turn),
  );
  const last = names.findLast((name) => name !== null) ?? null;
  const remaining = turns.filter((_turn, at) => names[at] === null);
  return {
    asked: { ...asked, question: remaining.at(-1)!, context: remaining.slice(0, -1) },
    lens: lenses.find(({ name }) => name === last) ?? null,
    just: names.at(-1) !== null,
  };
}

function lensNameIn(options: { key: string; label: string; meaning: null }[], turn: string): string | null {
  const found = new Set(
    options.flatMap(
      (option) => chosenOption({ kind: 'ambiguous_term', term: 'lens', message: '', options: [option] }, turn) ?? [],
    ),
  );
  const [first, second] = found;
  return first && !second ? first : null;
}
