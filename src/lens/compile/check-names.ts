// Warns about names that mean two things, because questions with such a name are ambiguous.

import type { Lens } from '../model/lens.ts';
import { parsePlainFilter } from '../model/plain-filter.ts';

export interface NameConflict {
  at: (string | number)[];
  code: string;
  message: string;
}

/** `lens` includes its dictionaries, because a stored value can have the same name as a metric. */
export function findNameConflicts(lens: Lens): NameConflict[] {
  const conflicts: NameConflict[] = [];
  const metricByName = new Map<string, string>();
  for (const { name, synonyms } of lens.metrics)
    for (const label of [name, ...synonyms]) {
      const otherMetric = metricByName.get(toNameKey(label));
      if (otherMetric === undefined) metricByName.set(toNameKey(label), name);
      else if (otherMetric !== name)
        conflicts.push({
          at: ['metrics', name, ...(label === name ? [] : ['synonyms'])],
          code: 'ambiguous_name',
          message: `"${label}" names two metrics, ${otherMetric} and ${name}, so questions can't distinguish them. Remove it from one of them.`,
        });
    }
  for (const [index, { term, synonyms, metric, filter, senses }] of lens.definitions.entries()) {
    const definitionPath = ['definitions', index];
    const meantMetrics = new Set([metric, ...senses.map((sense) => sense.metric)]);
    for (const label of [term, ...synonyms]) {
      const namesake = metricByName.get(toNameKey(label));
      if (namesake !== undefined && ![...meantMetrics].includes(namesake))
        conflicts.push({
          at: [...definitionPath, label === term ? 'term' : 'synonyms'],
          code: 'ambiguous_name',
          message: `"${label}" is defined here and is also a name of the metric ${namesake}. Name that metric in the definition, or rename one of them.`,
        });
    }
    for (const filterText of [filter, ...senses.map((sense) => sense.filter)])
      if (filterText && !parsePlainFilter(filterText))
        conflicts.push({
          at: [...definitionPath, 'filter'],
          code: 'definition_filter',
          message: `svc can't apply the filter of "${term}" to questions, because the filter isn't a list of comparisons of fields with values and null tests, joined by "and". svc refuses every question that uses the term. Move the filter into a metric, and name that metric in the definition.`,
        });
  }
  return [...conflicts, ...findValueConflicts(lens, metricByName)];
}

function findValueConflicts(lens: Lens, metricOf: ReadonlyMap<string, string>): NameConflict[] {
  return lens.datasets.flatMap((dataset) =>
    dataset.fields.flatMap(({ name, dictionary, dictionaryFromWarehouse }) =>
      (dictionary?.values ?? []).flatMap(({ value, synonyms }) => {
        const label = [value, ...synonyms].find((item) => metricOf.has(toNameKey(item)));
        if (label === undefined) return [];
        const meaningText = label === value ? 'is a value' : `means the value "${value}"`;
        const advice =
          label === value && dictionaryFromWarehouse ? 'Give the metric another name' : 'Give one of them another name';
        return [
          {
            at: ['datasets', dataset.name, 'fields', name, 'values'],
            code: 'ambiguous_name',
            message: `"${label}" ${meaningText} of ${dataset.name}.${name} and names the metric ${metricOf.get(toNameKey(label))}, so a question that uses it is ambiguous. ${advice}.`,
          },
        ];
      }),
    ),
  );
}

const toNameKey = (name: string): string =>
  name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, '') : word))
    .join(' ');
