import { type AnswerCheck, passed } from '../check.ts';

/** Always passes, because the guard has already checked every statement that reaches it. */
export const lensScope: AnswerCheck = {
  name: 'lens_scope',
  critical: true,
  ofPlan: () => passed('The guard found only tables, columns and functions of this lens.'),
};
