// Adds a doubt if a verb can restrict the rows to a state that the plan doesn't mention. For example, "matches played in
// Berlin" can leave out the postponed matches.

import { isTemporal } from '../../contract/warehouse.ts';
import type { LensField } from '../../lens/model/lens.ts';
import { findMetric, listSimpleBases } from '../../plan/base-measures.ts';
import { listConditions } from '../../plan/filters.ts';
import { type LensPlan, listNestedMeasures } from '../../plan/lens-plan.ts';
import { foldText } from '../words/tokens.ts';
import type { NameResolution } from './name-resolution.ts';
import { STATE_FIELD_PATTERN } from './start-date-doubt.ts';
import { hasWordDerivedFromVerb, isStateWord } from './verbs.ts';

/** Adds the doubts. A condition, group, period or metric that uses the state or the date of the verb explains the verb. */
export function addVerbDoubts(s: NameResolution, plan: LensPlan): void {
  if (s.linkingVerbs.length === 0) return;
  const { lens } = s.vocabulary;
  const usedFields = [
    ...[...listConditions(plan), ...(plan.time ? [plan.time] : [])].map(({ field }) => field),
    ...plan.dimensions,
  ].map(({ path, field }) => ({ dataset: s.dataset(path).name, field }));
  const metricFields = listNestedMeasures(plan)
    .flatMap((measure) => listSimpleBases(lens, measure))
    .flatMap((base) => findMetric(lens, base)?.references.fields ?? []);
  for (const { verb, dataset } of s.linkingVerbs) {
    const isUsed = ({ name }: LensField): boolean =>
      [...usedFields, ...metricFields].some((used) => used.dataset === dataset.name && used.field === name);
    const isDateOfVerb = ({ name, datatype }: LensField): boolean =>
      isTemporal(datatype) && hasWordDerivedFromVerb(name, verb);
    const state = dataset.fields.find(isStateField);
    if (state && !isUsed(state) && !dataset.fields.some((field) => isDateOfVerb(field) && isUsed(field)))
      s.addDoubt(
        `svc included ${dataset.name.replaceAll('_', ' ')} of every ${state.name.replaceAll('_', ' ')}, but "${verb}" can mean only some of them.`,
      );
  }
}

/** Returns true if the field has the values of a state. A field called "state" can also contain the states of a country. */
const isStateField = ({ name, dictionary }: LensField): boolean =>
  STATE_FIELD_PATTERN.test(name) &&
  dictionary !== null &&
  (!/(?:^|_)state$/.test(name) || dictionary.values.some(({ value }) => isStateWord(foldText(value))));
