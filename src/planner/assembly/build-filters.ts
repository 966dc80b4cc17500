// Conditions to filters: plain ones where a row of the home leads to the field, semijoins where the field is on the many
// side. Conditions of one clause about one related dataset are about the same related row.
import type { AllOf, AnyOf, Condition, Exists, Filter } from '../../lens/model/intent.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { Clause, TimeDraft } from '../grammar/draft.ts';
import { type Placed, place, throughTo } from '../grammar/place-conditions.ts';
import { pathsFrom, refuse } from '../grammar/resolve.ts';
import { joinClauses } from '../grammar/same-row.ts';
import { Unreadable } from '../grammar/unreadable.ts';
import { refuseMixedArms } from './arms-of-or.ts';
import { type Built, conditionsOf, hidesRows } from './bind-conditions.ts';
import { timeConditions } from './time-fields.ts';

const oneOrAll = (filters: (Condition | AnyOf | Exists)[]): Condition | AnyOf | Exists | AllOf =>
  filters.length === 1 ? filters[0]! : { kind: 'all', of: filters };

export const buildFilters = (c: Cursor, home: string, related: TimeDraft[]): Built => {
  const built: Built = { filters: [], unproven: [], notes: [], values: [], related: [] };
  const placed = c.draft.conditions.map((draft) => place(c, draft, home));
  joinClauses(placed, related);
  const reached = (dataset: string): boolean => c.vocabulary.graph.paths(home, dataset).length > 0;
  const clauses = new Set<Clause>([...c.draft.clauses]);
  const anyGroups = orGroups(placed);

  for (const group of anyGroups) {
    // "the state of Hawaii or the state of Wisconsin" are states of one thing.
    const [first] = group;
    if (
      first &&
      group.some(
        ({ option, draft }) =>
          option.field.name === first.option.field.name &&
          option.dataset !== first.option.dataset &&
          draft.text.split(' ')[0] === first.draft.text.split(' ')[0],
      )
    )
      refuse(group.map((one) => one.draft.text));
    if (group.some((one) => one.draft.negated || one.draft.clause.negated)) refuse(group.map((one) => one.draft.text));
    const of = group.map((one): Condition | AllOf | Exists => {
      if (one.through) {
        if (one.draft.lacks || together(one)) refuse(one.draft.text);
        built.related.push(one.through);
        return {
          kind: 'exists',
          path: one.through,
          negated: false,
          where: conditionsOf(c, one, one.through, built, false),
        };
      }
      return oneOrAll(conditionsOf(c, one, home, built, false)) as Condition | AllOf;
    });
    built.filters.push(oneOf(of));
  }
  const grouped = new Set(anyGroups.flat());

  for (const clause of clauses) {
    const own = placed.filter((one) => one.draft.clause === clause && !grouped.has(one));
    const plain = own.filter((one) => one.through === null);
    const beyond = own.filter((one) => one.through !== null);
    const times = related.filter((time) => time.clause === clause);
    const relation = clause.relation;
    const isOwn = relation && reached(relation.dataset);
    if (clause.twin && isOwn) refuse(relation.text, 'One row is not both; ask for them one by one.');
    const negatedRelation = clause.negated && relation && !isOwn;
    const whole = clause.whole === true && plain.length === 0;
    if (clause.negated && !negatedRelation && !whole && plain.length + beyond.length > 1)
      refuse(own.map((one) => one.draft.text));
    const alone = relation && isOwn && !relation.count && !placed.some((one) => one.draft.clause === clause);
    // "employees who have managers": a row of the same dataset that each of them leads to.
    if (alone && (relation.dataset !== home || relation.role) && times.length === 0) {
      built.filters.push(ownRelated(c, home, relation, clause.negated));
      continue;
    }
    if (clause.negated && relation && isOwn && own.length === 0) refuse(relation.text);
    if (
      clause.negated &&
      own.length === 0 &&
      !negatedRelation &&
      !c.draft.havings.some((one) => one.negated) &&
      !c.draft.definitions.some((one) => one.clause === clause) &&
      !c.draft.times.some((time) => time.negated && time.clause === clause) &&
      times.length === 0
    ) {
      refuse('not');
    }
    if (clause.both && plain.some((one) => one.option.values.length > 1))
      refuse(
        plain.map((one) => one.draft.text),
        'One row cannot hold both values; say of which things both should be true.',
      );
    for (const one of plain)
      built.filters.push(
        ...conditionsOf(c, one, home, built, one.draft.negated !== (clause.negated && !negatedRelation)),
      );
    if (negatedRelation && plain.length > 0) refuse(plain.map((one) => one.draft.text));

    const through = new Map<string, Placed[]>();
    for (const one of beyond) through.set(one.through!, [...(through.get(one.through!) ?? []), one]);
    if (relation && !isOwn) {
      const link = throughTo(c, home, relation.dataset, relation.text);
      if (!through.has(link)) through.set(link, []);
    }
    if (relation?.count && isOwn) refuse(relation.text);
    if (through.size > 1 && clause.negated) refuse(own.map((one) => one.draft.text));
    for (const [path, conditions] of through) {
      built.related.push(path);
      const every = times.find((time) => time.every);
      if (every) {
        if (times.length > 1 || clause.negated || clause.both || relation?.count) refuse(every.text);
        for (const mention of every.every!)
          built.filters.push({
            kind: 'exists',
            path,
            negated: false,
            where: [
              ...conditions.flatMap((one) => conditionsOf(c, one, path, built, one.draft.negated)),
              ...timeConditions(c, { ...every, every: undefined, mention }, path),
            ],
          });
        continue;
      }
      const timeFilters = times.flatMap((time) => timeConditions(c, time, path));
      const several = conditions.filter(({ option }) => option.values.length > 1);
      if (clause.both && several.length === 1 && !(clause.negated && conditions.length > 1)) {
        const [each] = several;
        for (const value of each!.option.values) {
          const where = conditions.flatMap((one) => {
            const single = { ...one.option, values: [value] };
            const made = one === each ? { ...one, option: single, draft: { ...one.draft, op: '=' as const } } : one;
            return conditionsOf(c, made, path, built, made.draft.negated);
          });
          built.filters.push({ kind: 'exists', path, negated: clause.negated, where: [...where, ...timeFilters] });
        }
        continue;
      }
      const joined = conditions.find((one) => one.option.values.length > 1 && one.draft.op === 'in');
      if (joined && /\band\b/i.test(joined.draft.text) && !/\bor\b/i.test(joined.draft.text) && !joined.draft.negated)
        refuse(joined.draft.text, `"${joined.draft.text}" can mean both at once or either; say "both … and" or "or".`);
      const [whole] = conditions.filter(together);
      if (whole) {
        // Of all of theirs, or of those that the other words leave?
        const others = placed.filter((one) => one !== whole && one.through !== null);
        if (others.length > 0 || relation?.count || clause.both || timeFilters.length > 0)
          refuse([whole, ...others].map((one) => one.draft.text));
        built.filters.push({ ...inTotal(path, whole), negated: clause.negated !== whole.draft.negated });
        continue;
      }
      const twice = twiceOneColumn(c, conditions);
      if (twice) {
        if (clause.negated || relation?.count || conditions.length > 2) refuse(conditions.map((one) => one.draft.text));
        for (const one of conditions)
          built.filters.push({
            kind: 'exists',
            path,
            negated: false,
            where: [...conditionsOf(c, one, path, built, false), ...timeFilters],
          });
        continue;
      }
      const lacking = conditions.some((one) => lacksAny(c, home, one));
      if (lacking && (conditions.length > 1 || times.length > 0 || relation || clause.negated || clause.both))
        refuse(conditions.map((one) => one.draft.text));
      const inner = conditions.flatMap((one) => {
        if (one.draft.negated && conditions.length > 1) refuse(one.draft.text);
        return conditionsOf(c, { ...one, draft: { ...one.draft } }, path, built, lacking);
      });
      const negated = clause.negated !== (conditions.length === 1 && (lacking || conditions[0]!.draft.negated));
      const exists: Exists = { kind: 'exists', path, negated, where: [...inner, ...timeFilters] };
      if (relation?.count && throughTo(c, home, relation.dataset, relation.text) === path)
        exists.count = countOf(c, relation, path);
      built.filters.push(exists);
    }
  }
  contradictions(built.filters, placed);
  refuseMixedArms(built.filters, placed);
  return built;
};

const together = ({ taken }: Placed): boolean => taken === 'total' || taken === 'average';

/** "customers with line amount over 500", all of their lines together. */
const inTotal = (path: string, { draft, option, taken, sharing }: Placed): Exists => {
  const values = option.values.map(Number);
  const { op } = draft;
  const compares =
    op === '=' || op === '!=' || op === '>' || op === '>=' || op === '<' || op === '<=' || op === 'between';
  if (!compares || option.dataset !== path || draft.than || values.length === 0) return refuse(draft.text);
  const fn = taken === 'total' ? 'sum' : 'avg';
  const total = { fn, field: option.field.name, op, values } as const;
  return { kind: 'exists', path, negated: false, where: [], total, ...(sharing && { sharing }) };
};

/** "dorms without an amenity" have no row with one; "owners with boats without a name" have one that lacks it. */
const lacksAny = (c: Cursor, home: string, { draft, option, through }: Placed): boolean => {
  if (!draft.lacks || !through) return false;
  const named = c.draft.clauses.flatMap(({ relation }) => (relation ? [relation] : []));
  const before = [...named, ...c.draft.entities.filter(({ at }) => at < draft.at)].filter(
    (one) => one.dataset !== home,
  );
  if (before.some(({ dataset }) => dataset === through || dataset === option.dataset)) return false;
  return before.length === 0 || refuse(draft.text);
};

/** "cartoons by Jones and cartoons by Chang": two rows, where the thing is named again; else no row could be both. */
const twiceOneColumn = (c: Cursor, conditions: Placed[]): boolean => {
  const [first, second] = conditions.filter(
    ({ draft, option }, index) =>
      draft.op === '=' &&
      conditions.some(
        (other, at) =>
          at !== index &&
          other.draft.op === '=' &&
          other.option.field === option.field &&
          (other.draft.boundRole ?? other.option.role) === (draft.boundRole ?? option.role),
      ),
  );
  if (!first || !second) return false;
  const between = c.tokens.slice(first.draft.end, second.draft.at + 1);
  const again =
    /^(?:and|,)$/.test(between[0]?.norm ?? '') &&
    between.some(({ stem }) => c.vocabulary.phrases.get(stem)?.some((term) => term.kind === 'dataset'));
  if (!again)
    refuse(
      [first.draft.text, second.draft.text],
      'No row can meet these conditions together. Say "or" between them, or ask for each by itself.',
    );
  return true;
};

/** "rides without a member": the row each of them leads to is not there. "rides from stations that never had a member" says
 *  it of the stations. */
const ownRelated = (
  c: Cursor,
  home: string,
  { dataset, role, at, text }: NonNullable<Clause['relation']>,
  negated: boolean,
): Condition => {
  const named = c.draft.entities.filter((one) => one.at < at && one.dataset !== dataset).at(-1);
  if (named && named.dataset !== home) return refuse(text);
  const paths = pathsFrom(c, home, dataset, role);
  const { primaryKey, fields } = c.vocabulary.dataset(dataset);
  const key =
    primaryKey.length === 1 ? fields.find(({ name, masked }) => name === primaryKey[0] && !masked) : undefined;
  if (paths.length !== 1 || !key || hidesRows(c, dataset)) return refuse(text);
  return {
    kind: 'condition',
    field: { path: paths[0]!, field: key.name },
    op: negated ? 'is_null' : 'is_not_null',
    values: [],
  };
};

/** "genre Rock or genre Jazz" is one column with two values. */
const oneOf = (of: AnyOf['of']): Filter => {
  const [first] = of;
  const same = of.every(
    (one) =>
      one.kind === 'condition' &&
      first?.kind === 'condition' &&
      one.op === '=' &&
      !one.than &&
      one.field.path === first.field.path &&
      one.field.field === first.field.field,
  );
  if (!same || first?.kind !== 'condition') return { kind: 'any', of };
  return { ...first, op: 'in', values: of.flatMap((one) => (one.kind === 'condition' ? one.values : [])) };
};

/** "bought chairs but not tables" over single rows says nothing about tables: the thing that bought is not the row. */
const contradictions = (filters: Filter[], placed: Placed[]): void => {
  const some = filters.flatMap((filter) =>
    filter.kind === 'exists' && filter.where.length === 0 && !filter.total ? [filter] : [],
  );
  for (const { path, negated, count } of some)
    if (!negated && !count && some.some((other) => other.negated && !other.count && other.path === path))
      refuse(
        path.replaceAll('_', ' '),
        `Some ${path.replaceAll('_', ' ')} and none of them cannot both be. Leave one of the two out.`,
      );
  const plain = filters.flatMap((filter) =>
    filter.kind === 'condition' && typeof filter.values[0] === 'string' ? [filter] : [],
  );
  for (const one of plain) {
    for (const other of plain) {
      const same = one !== other && one.field.path === other.field.path && one.field.field === other.field.field;
      const equal = (condition: Condition): boolean => condition.op === '=' || condition.op === 'in';
      const unequal = (condition: Condition): boolean => condition.op === '!=' || condition.op === 'not_in';
      // "female guests (gender Female)" says one thing twice.
      const again = one.op === other.op && JSON.stringify(one.values) === JSON.stringify(other.values);
      if (same && !again && equal(one) && (unequal(other) || equal(other)))
        refuse(
          placed.map(({ draft }) => draft.text),
          'No row can meet these conditions together. Say "or" between them, or ask for each by itself.',
        );
    }
  }
};

/** "fewer than 3 orders" holds for those without any, which people may not mean. */
const countOf = (c: Cursor, relation: NonNullable<Clause['relation']>, path: string): Exists['count'] => {
  const { count, text, dataset } = relation;
  // Loans are no books: the rows that link two things count each thing once only where their key says so.
  if (count && path !== dataset) {
    const link = c.vocabulary.dataset(path);
    const keys = c.vocabulary.lens.relationships.flatMap(({ from }) => (from.dataset === path ? from.columns : []));
    if (link.primaryKey.length < 2 || !link.primaryKey.every((key) => keys.includes(key)))
      refuse(text, `Say whether ${path.replaceAll('_', ' ')} or different ${text} are counted.`);
  }
  if (!count || (count.op !== '<' && count.op !== '<=')) return count;
  const term = `${count.op === '<' ? 'fewer than' : 'at most'} ${count.value} ${text}`;
  if (c.choices[term] === 'with_none') return count;
  throw new Unreadable(
    {
      kind: 'ambiguous_term',
      term,
      message: `Do those without any ${text} count as having ${term}?`,
      options: [{ key: 'with_none', label: `Also those without any ${text}`, meaning: null }],
    },
    [term],
  );
};

const orGroups = (placed: Placed[]): Placed[][] => {
  const groups: Placed[][] = [];
  placed.forEach((one, index) => {
    if (!one.draft.or || index === 0) return;
    const before = placed[index - 1]!;
    const open = groups.find((group) => group.includes(before));
    if (open) open.push(one);
    else groups.push([before, one]);
  });
  // "a and b or c" has two readings.
  if (
    groups.length > 0 &&
    placed.length > groups.flat().length &&
    groups
      .flat()
      .some((one) =>
        placed.some(
          (other) =>
            !groups.flat().includes(other) && other.draft.clause === one.draft.clause && other.draft.clause.id > 0,
        ),
      )
  )
    refuse(
      placed.map((one) => one.draft.text),
      'Conditions joined by both "and" and "or" have two readings. Ask for each side of the "or" by itself.',
    );
  return groups;
};
