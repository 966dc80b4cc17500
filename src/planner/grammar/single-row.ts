// "the largest payment", where payments are a total to the lens: one of them, not the total of those that share a value.

import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { EntityMention, MeasureDraft } from './draft.ts';
import { refuse } from './resolve.ts';

/** What there is an amount of, not a number of. */
const MASS = /^(?:profit|loss|income|revenue|turnover|cost|spend|margin|saving|earning|budget|volume|balance)$/;

/** The rows of which one is meant, where the metric's word names one; null where it names the total. */
export const singleRow = (c: Cursor, { kind, metrics, text, at }: MeasureDraft, said: string): EntityMention | null => {
  const [metric, other] = metrics ?? [];
  const noun = text.toLowerCase().split(' ').at(-1)!;
  if (kind !== 'metric' || !metric?.home || other || /s$/.test(noun) || MASS.test(noun)) return null;
  if (/\b(?:total|overall|combined|average|mean)\b/i.test(said)) return null;
  const plural = [metric.name, ...metric.synonyms].some(
    (name) => /s$/.test(name) && phraseKey(name).split(' ').at(-1) === phraseKey(noun),
  );
  if (!plural) return null;
  const { name, synonyms } = c.vocabulary.dataset(metric.home);
  const rows = [name, ...synonyms].some((title) => phraseKey(title) === phraseKey(noun));
  if (!rows || metric.filter) return refuse(said, `Say whether the total or one single ${noun} is meant.`);
  const entity = { at, text, dataset: name, clause: c.clause };
  c.draft.entities.push(entity);
  return entity;
};
