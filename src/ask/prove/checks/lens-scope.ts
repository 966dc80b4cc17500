import { type AnswerCheck, createPassVerdict } from '../check.ts';

/** Always passes, because the guard has already checked every statement that reaches this check. */
export const lensScopeCheck: AnswerCheck = {
  name: 'lens_scope',
  critical: true,
  checkPlan: () => createPassVerdict('The guard found only tables, columns and functions of this lens.'),
};
