// Words that restrict or quantify, by meaning. svc answers a question with such a word only if a part of the plan
// expresses the word. Otherwise, svc asks for clarification or refuses the question (docs/questions.md). The longest
// entry at a position applies.

export type RestrictionSense =
  /** Excludes everything else. If an entity has several rows, all its rows must match. */
  | 'only'
  /** Excludes nothing. */
  | 'all'
  /** Applies to each thing separately. */
  | 'each'
  | 'either'
  /** Excludes what follows. */
  | 'except'
  | 'not'
  /** A multiple of a value, or the number of times that an event happened. */
  | 'times'
  | 'unsayable';

interface RestrictingEntry {
  sense: RestrictionSense;
  said: string;
  /** The factor, such as 2 for "twice". */
  by?: number;
}

export const RESTRICTING_ENTRIES: readonly RestrictingEntry[] = [
  {
    sense: 'only',
    said: 'only|just|solely|exclusively|merely|purely|nothing but|nothing except|nothing other than|none but|no one but|nobody but|no other than',
  },
  { sense: 'all', said: 'all|entire|whole' },
  { sense: 'each', said: 'every|each|each one|every one|every single|each and every' },
  { sense: 'either', said: 'either' },
  {
    sense: 'except',
    said: 'except|except for|excepting|excluding|other than|apart from|aside from|besides|but not|without|barring|save for|leaving out',
  },
  { sense: 'not', said: 'not|no|never|none|neither|nor|at all' },
  { sense: 'times', said: 'times|multiplied by|most often|least often|more often|less often|how often' },
  { sense: 'times', said: 'twice|double', by: 2 },
  { sense: 'times', said: 'thrice|triple', by: 3 },
  { sense: 'times', said: 'half', by: 0.5 },
  {
    sense: 'unsayable',
    said: 'not only|not just|not all|not every|not both|not always|not exclusively|not solely|almost only|almost all|almost every|nearly all|nearly every|mostly|mainly|primarily|chiefly|largely|partly|partially|predominantly|hardly|barely|rarely|seldom|usually|typically|generally|always|sometimes|often|both|entirely|alone|all but|anything but|anything except|anything other than|everything but|everything except|everything other than|everyone but|everyone except|half of|half of the|majority of|the majority|most of',
  },
];
