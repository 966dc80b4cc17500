// All constructions of English. The order of the list has no effect.

import type { Construction } from './construction.ts';
import { CHANGE_CONSTRUCTIONS } from './constructions/changes.ts';
import { CONDITION_CONSTRUCTIONS } from './constructions/conditions.ts';
import { GROUP_CONSTRUCTIONS } from './constructions/groups.ts';
import { MEASURE_CONSTRUCTIONS } from './constructions/measures.ts';
import { NAME_CONSTRUCTIONS } from './constructions/names.ts';
import { QUESTION_CONSTRUCTIONS } from './constructions/questions.ts';
import { RANK_CONSTRUCTIONS } from './constructions/ranks.ts';

export const CONSTRUCTIONS: readonly Construction[] = [
  ...NAME_CONSTRUCTIONS,
  ...CONDITION_CONSTRUCTIONS,
  ...MEASURE_CONSTRUCTIONS,
  ...GROUP_CONSTRUCTIONS,
  ...QUESTION_CONSTRUCTIONS,
  ...RANK_CONSTRUCTIONS,
  ...CHANGE_CONSTRUCTIONS,
];
