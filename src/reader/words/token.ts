// One word, number, quoted string or mark of a question, and where it stands there.
export interface Token {
  kind: 'word' | 'number' | 'quoted' | 'punct';
  /** As asked. */
  text: string;
  /** Folded: lower case, no accents; the content for quoted strings. */
  norm: string;
  stem: string;
  value?: number;
  /** A currency sign or percent sign written at the number. */
  unit?: string;
  start: number;
  end: number;
  capital: boolean;
}
