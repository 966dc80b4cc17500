// "In 2023, how many customers ordered": a period in front of all is about what happened, not about when the things came to
// be, and where both have dates it is not for us to choose.
import type { Cursor } from '../grammar/cursor.ts';
import type { TimeDraft } from '../grammar/draft.ts';
import { isYear } from '../grammar/event-dates.ts';
import { isTemporal } from '../words/datatypes.ts';

/** The period opens the question, and rows on the many side that have dates of their own are told of behind it. */
export const opensBeforeEvents = (c: Cursor, time: TimeDraft, home: string): boolean => {
  const { entities, shown } = c.draft;
  const starts = [
    ...entities.map(({ at }) => at),
    ...shown.map((item) => (item.slot ?? item.measure ?? item.entity)?.at ?? 0),
  ];
  if (time.clause.id > 0 || starts.length === 0 || starts.some((at) => at < time.at)) return false;
  return tellsOfEvents(c, home);
};

/** Rows on the many side are told of, which have dates of their own. */
export const tellsOfEvents = (c: Cursor, home: string): boolean => {
  const { clauses, conditions, entities, verbs } = c.draft;
  const { graph } = c.vocabulary;
  const dated = (dataset: string): boolean =>
    c.vocabulary
      .dataset(dataset)
      .fields.some((field) => isYear(field) || (isTemporal(field.datatype) && !field.masked));
  const beyond = (dataset: string): boolean =>
    dataset !== home &&
    graph.paths(home, dataset).length === 0 &&
    (dated(dataset) || graph.paths(dataset, home).length === 0);
  return (
    clauses.some(({ relation }) => relation !== undefined && beyond(relation.dataset)) ||
    conditions.some(({ options }) => options.every(({ dataset }) => beyond(dataset))) ||
    (verbs.length > 0 && entities.some(({ dataset }) => beyond(dataset)))
  );
};
