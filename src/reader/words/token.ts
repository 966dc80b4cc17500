// A word, number, quoted string or punctuation mark of a question, with its position.
export interface QuestionToken {
  kind: 'word' | 'number' | 'quoted' | 'punct';
  text: string;
  /** Lowercase and without accents. For quoted strings, the content. */
  norm: string;
  stem: string;
  value?: number;
  /** A currency or percent sign next to the number. */
  unit?: string;
  start: number;
  end: number;
  capital: boolean;
  /** True if a hyphen joins the word to the previous one. */
  hyphenated?: true;
}
