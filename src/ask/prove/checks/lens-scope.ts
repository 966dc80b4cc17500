import { type ProvenBy, passed } from '../check.ts';

/** The guard has run: without its word there is no statement to prove. */
export const lensScope: ProvenBy = {
  name: 'lens_scope',
  critical: true,
  ofPlan: () => passed('The guard found only tables, columns and functions of this lens.'),
};
