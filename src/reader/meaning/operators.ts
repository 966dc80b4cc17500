// What the constructions mean: from the terms of their slots to one term, or to none where the types don't fit. No
// operator knows a language.
import type { Operate } from './operators/building.ts';
import { CHANGES } from './operators/changes.ts';
import { CONDITIONS } from './operators/conditions.ts';
import { GROUPS } from './operators/groups.ts';
import { MEASURES } from './operators/measures.ts';
import { NAMES } from './operators/names.ts';
import { QUESTIONS } from './operators/questions.ts';
import { RANKS } from './operators/ranks.ts';

export const OPERATORS: Readonly<Record<string, Operate>> = {
  ...NAMES,
  ...CONDITIONS,
  ...MEASURES,
  ...GROUPS,
  ...QUESTIONS,
  ...RANKS,
  ...CHANGES,
};
