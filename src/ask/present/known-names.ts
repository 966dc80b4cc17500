// Names that contain digits or number words, such as "Route 66" or "Thousand Oaks". Such names don't count as numbers
// in prose.

const MAX_WORDS_OF_NAME = 20;
const OPENING_CHARACTERS = new Set('("\'“‘„«[*_');
const CLOSING_CHARACTERS = new Set(')]"\'”’».,:;!?*_');

interface TextRange {
  from: number;
  to: number;
}

export class KnownNames {
  readonly #names = new Set<string>();
  readonly #firstWords = new Set<string>();
  #maxWords = 0;

  add(name: string): void {
    const words = name.toLowerCase().trim().split(/\s+/);
    if (words[0] === '' || words.length > MAX_WORDS_OF_NAME) return;
    this.#names.add(words.join(' '));
    this.#firstWords.add(stripWord(words[0]!));
    this.#maxWords = Math.max(this.#maxWords, words.length);
  }

  /** Replaces the longest name at each position with spaces. Yields so that other requests can run. */
  *removeNames(text: string, mayCountAsNumber: (word: string) => boolean): Generator<void, string> {
    if (this.#names.size === 0) return text;
    const words = [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({ from: index, to: index + word.length }));
    const isFirstWord = words.map(({ from, to }) =>
      this.#firstWords.has(stripWord(text.slice(from, to).toLowerCase())),
    );
    let rest = text;
    for (let wordIndex = 0; wordIndex < words.length; wordIndex++) {
      if (!mayCountAsNumber(text.slice(words[wordIndex]!.from, words[wordIndex]!.to))) continue;
      yield;
      const name = this.#findNameAt(text, words, isFirstWord, wordIndex);
      if (!name) continue;
      rest = rest.slice(0, name.from) + ' '.repeat(name.to - name.from) + rest.slice(name.to);
      wordIndex = name.last;
    }
    return rest;
  }

  #findNameAt(
    text: string,
    words: TextRange[],
    isFirstWord: boolean[],
    wordIndex: number,
  ): (TextRange & { last: number }) | null {
    for (let length = this.#maxWords; length > 0; length--)
      for (
        let start = Math.max(0, wordIndex - length + 1);
        start <= wordIndex && start + length <= words.length;
        start++
      ) {
        if (!isFirstWord[start]) continue;
        const last = start + length - 1;
        const [from, to] = [words[start]!.from, words[last]!.to];
        const phrase = text.slice(from, to).toLowerCase().replace(/\s+/g, ' ');
        if (
          [
            phrase,
            stripClosingCharacters(phrase),
            stripOpeningCharacters(phrase),
            stripClosingCharacters(stripOpeningCharacters(phrase)),
          ].some((form) => this.#names.has(form))
        )
          return { from, to, last };
      }
    return null;
  }
}

function stripOpeningCharacters(text: string): string {
  let from = 0;
  while (OPENING_CHARACTERS.has(text[from]!)) from++;
  return text.slice(from);
}

function stripClosingCharacters(text: string): string {
  let to = text.length;
  while (CLOSING_CHARACTERS.has(text[to - 1]!)) to--;
  return text.slice(0, to).replace(/['’]s$/, '');
}

const stripWord = (word: string): string => stripClosingCharacters(stripOpeningCharacters(word));
