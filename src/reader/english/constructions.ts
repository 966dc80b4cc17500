// All constructions of English. Their order has no effect.

import { CHANGES } from './constructions/changes.ts';
import { CONDITIONS } from './constructions/conditions.ts';
import { GROUPS } from './constructions/groups.ts';
import { MEASURES } from './constructions/measures.ts';
import { NAMES } from './constructions/names.ts';
import { QUESTIONS } from './constructions/questions.ts';
import { RANKS } from './constructions/ranks.ts';
import type { Construction } from './entry.ts';

export const CONSTRUCTIONS: readonly Construction[] = [
  ...NAMES,
  ...CONDITIONS,
  ...MEASURES,
  ...GROUPS,
  ...QUESTIONS,
  ...RANKS,
  ...CHANGES,
];
