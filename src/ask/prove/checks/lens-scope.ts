import { type AnswerCheck, passed } from '../check.ts';

/** The guard has already checked every statement that gets here. */
export const lensScope: AnswerCheck = {
  name: 'lens_scope',
  critical: true,
  ofPlan: () => passed('The guard found only tables, columns and functions of this lens.'),
};
