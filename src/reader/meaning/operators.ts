// Combines the terms in the slots of a construction into one term. An operator returns no term if the types don't fit.
// Operators don't depend on a language.
import type { TermOperator } from './operators/building.ts';
import { CHANGE_OPERATORS } from './operators/changes.ts';
import { CONDITION_OPERATORS } from './operators/conditions.ts';
import { GROUP_OPERATORS } from './operators/groups.ts';
import { MEASURE_OPERATORS } from './operators/measures.ts';
import { NAME_OPERATORS } from './operators/names.ts';
import { QUESTION_OPERATORS } from './operators/questions.ts';
import { RANK_OPERATORS } from './operators/ranks.ts';

export const OPERATORS: Readonly<Record<string, TermOperator>> = {
  ...NAME_OPERATORS,
  ...CONDITION_OPERATORS,
  ...MEASURE_OPERATORS,
  ...GROUP_OPERATORS,
  ...QUESTION_OPERATORS,
  ...RANK_OPERATORS,
  ...CHANGE_OPERATORS,
};
