// All constructions of German. Their order means nothing.
import type { Entry } from '../language/entry.ts';
import { CONDITIONS } from './constructions/conditions.ts';
import { MEASURES } from './constructions/measures.ts';
import { QUESTIONS } from './constructions/questions.ts';

export const CONSTRUCTIONS: readonly Entry[] = [...CONDITIONS, ...MEASURES, ...QUESTIONS];
