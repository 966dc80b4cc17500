// The meanings of constructions. Each combines the terms of its slots into one term, or into none if the types don't
// fit. Operators don't depend on a language.
import type { Operation } from './operators/building.ts';
import { CHANGES } from './operators/changes.ts';
import { CONDITIONS } from './operators/conditions.ts';
import { GROUP_OPERATIONS } from './operators/groups.ts';
import { MEASURES } from './operators/measures.ts';
import { NAMES } from './operators/names.ts';
import { QUESTIONS } from './operators/questions.ts';
import { RANKS } from './operators/ranks.ts';

export const OPERATORS: Readonly<Record<string, Operation>> = {
  ...NAMES,
  ...CONDITIONS,
  ...MEASURES,
  ...GROUP_OPERATIONS,
  ...QUESTIONS,
  ...RANKS,
  ...CHANGES,
};
