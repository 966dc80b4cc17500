// The words of a question, and what each run of them can name in a lens: a name counts only where the lens has one meaning
// for it, and where the words are no piece of a longer name.
import type { Lens, LensField } from '../../../../lens/lens.ts';
import { isFiller } from '../../../../planner/words/filler-words.ts';
import type { Token } from '../../../../planner/words/token.ts';
import { foldValue, tokenise } from '../../../../planner/words/tokens.ts';
import { firstRun, phraseKey, type Term, type Vocabulary, vocabularyOf } from '../../../../planner/words/vocabulary.ts';

const LONGEST_VALUE = 12; // words
const MARKS = new Set([',', '?', '"', "'", "'s"]);

const isContent = ({ kind, norm }: Token): boolean => kind !== 'punct' && !(kind === 'word' && isFiller(norm));

export const contentWords = (text: string): Token[] => tokenise(text).list.filter(isContent);

export class Asked {
  readonly lens: Lens;
  /** Without punctuation and empty words. */
  readonly words: readonly Token[];
  /** A sign that could compare or reckon, or several sentences: what one says may not hold of the other. */
  readonly broken: boolean;
  readonly #folded: string;
  readonly #vocabulary: Vocabulary;

  constructor(lens: Lens, question: string) {
    const { list, folded } = tokenise(question);
    this.lens = lens;
    this.#folded = folded;
    this.#vocabulary = vocabularyOf(lens);
    this.words = list.filter(isContent);
    const last = list.findLastIndex(({ kind }) => kind !== 'punct');
    const plain = ({ kind, norm }: Token, at: number) =>
      kind !== 'punct' || MARKS.has(norm) || (at > last && /^[.!]$/.test(norm));
    this.broken = !list.every(plain);
  }

  norm(at: number): string {
    return this.words[at]?.norm ?? '';
  }

  terms(from: number, to: number, before = ''): readonly Term[] {
    const phrase = this.words.slice(from, to).map(({ norm }) => norm);
    return this.#vocabulary.phrases.get(phraseKey([before, ...phrase].join(' '))) ?? [];
  }

  /** Ends of the names that begin here and that mean `means` alone. */
  namesAt(at: number, means: (term: Term) => boolean, before = ''): number[] {
    const ends: number[] = [];
    for (let to = at + 1; to <= Math.min(this.words.length, at + this.#vocabulary.longest); to++) {
      const terms = this.terms(at, to, before);
      const one = terms.length > 0 && terms.every(means) && this.#stored(at, to).length === 0;
      if (one && this.#isWhole(at, to)) ends.push(to);
    }
    return ends;
  }

  /** Ends of the words that are this value; `named`: the field is named beside it, else they must be a value of it alone. */
  valuesAt(at: number, value: string, of: { dataset: string; field: LensField }, named: boolean): number[] {
    const ends: number[] = [];
    const wanted = foldValue(value);
    for (let to = at + 1; to <= Math.min(this.words.length, at + LONGEST_VALUE); to++) {
      const stored = this.#stored(at, to);
      const own = stored.filter(({ dataset, field }) => dataset === of.dataset && field.name === of.field.name);
      const said = own.some((entry) => entry.value === value) || this.text(at, to) === wanted;
      const only = own.length === stored.length && own.length > 0 && own.every((entry) => entry.value === value);
      const free = this.terms(at, to).length === 0 || this.words[at]!.kind === 'quoted';
      if (said && (named || (only && free)) && this.#isWhole(at, to)) ends.push(to);
    }
    return ends;
  }

  text(from: number, to: number): string {
    const [first, last] = [this.words[from]!, this.words[to - 1]!];
    return first === last ? first.norm : foldValue(this.#folded.slice(first.start, last.end));
  }

  #stored(from: number, to: number) {
    const text = this.text(from, to);
    return (this.#vocabulary.values.get(firstRun(text)) ?? []).filter(({ folded }) => folded === text);
  }

  /** No longer name or value of the lens holds these words. */
  #isWhole(from: number, to: number): boolean {
    const { longest } = this.#vocabulary;
    for (let a = Math.max(0, to - longest); a <= from; a++)
      for (let b = to; b <= Math.min(this.words.length, a + longest); b++)
        if (b - a > to - from && (this.terms(a, b).length > 0 || this.#stored(a, b).length > 0)) return false;
    return true;
  }
}
