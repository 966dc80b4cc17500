// Conditions to filters: plain ones where a row of the home leads to the field, semijoins where the field is on the many
// side. Conditions of one clause about one related dataset are about the same related row.

import { distance as editDistance } from 'fastest-levenshtein';
import type { AllOf, AnyOf, Condition, Exists, FieldRef, Filter, Scalar } from '../lens/intent.ts';
import type { LensField } from '../lens/lens.ts';
import type { Cursor } from './cursor.ts';
import type { Clause, ConditionDraft, ConditionOption, TimeDraft } from './draft.ts';
import { isNumeric, isTemporal } from './read-things.ts';
import { ambiguous, choose, pathsFrom, refTo, refuse, Unreadable } from './resolve.ts';
import { foldValue } from './tokens.ts';
import { phraseKey, words } from './vocabulary.ts';

export interface Built {
  filters: Filter[];
  unproven: { path: string; field: string; value: string }[];
  notes: string[];
  values: { name: string; text: string | null }[];
  /** Datasets that semijoins run over. */
  related: string[];
}

interface Placed {
  draft: ConditionDraft;
  option: ConditionOption;
  /** null: plain; else the dataset of the semijoin. */
  through: string | null;
}

/** The dataset over which a home and another dataset meet, when the other is on the many side. */
export const throughTo = (c: Cursor, home: string, dataset: string, text: string): string => {
  const { graph } = c.vocabulary;
  if (graph.paths(dataset, home).length > 0) return dataset;
  const links = graph.links(home, dataset);
  if (links.length === 1) return links[0]!;
  return refuse(
    text,
    links.length === 0 ? `"${text}" is not related to ${home}.` : `"${text}" is related to ${home} in several ways.`,
  );
};

export const nearestValues = (field: LensField, text: string): string[] => {
  const folded = foldValue(text);
  return (field.dictionary?.values ?? [])
    .map(({ value, synonyms }) => ({
      value,
      far: Math.min(
        ...[value, ...synonyms].map((form) => {
          const other = foldValue(form);
          return other.includes(folded) || folded.includes(other) ? 0.5 : editDistance(folded, other);
        }),
      ),
    }))
    .sort((one, other) => one.far - other.far || (one.value < other.value ? -1 : 1))
    .slice(0, 50)
    .map(({ value }) => value);
};

const unknownValue = (dataset: string, field: LensField, value: string): never => {
  const options = nearestValues(field, value);
  throw new Unreadable(
    {
      kind: 'unknown_value',
      term: `${dataset}.${field.name}`,
      value,
      message:
        `There is no ${field.name.replaceAll('_', ' ')} "${value}". ${options.length > 0 ? `Stored values: ${options.slice(0, 5).join(', ')}${options.length > 5 ? ', …' : ''}.` : ''}`.trim(),
      options,
    },
    [value],
  );
};

const place = (c: Cursor, draft: ConditionDraft, home: string): Placed => {
  const { graph } = c.vocabulary;
  const reached = (dataset: string): boolean => graph.paths(home, dataset).length > 0;
  let options = draft.options;
  if (!draft.named && options.length > 1) {
    // A bare name beside the thing itself is no category of it: "Rock tracks" are not tracks called Rock.
    const others = options.filter(
      (option) => option.and || !c.vocabulary.display(option.dataset).includes(option.field) || option.dataset !== home,
    );
    if (others.length > 0 && draft.end < c.tokens.length) options = others;
  }
  const mention = { text: draft.text, at: draft.at, bound: draft.bound, boundRole: draft.boundRole };
  const own = selfRole(c, draft, home);
  if (own) {
    const mine = options.filter((option) => option.dataset === home && !option.role);
    if (mine.length !== 1) return refuse(draft.text);
    draft.boundRole = own;
    return { draft, option: { ...mine[0]!, role: own }, through: null };
  }
  const option = chooseOption(c, mention, draft, options, home);
  if (reached(option.dataset)) return { draft, option, through: null };
  if (draft.only) return refuse(draft.text, `"only ${draft.text}" would have to hold for every related row.`);
  const named =
    draft.named ||
    draft.bound !== undefined ||
    c.draft.entities.some(
      (entity) =>
        entity.dataset === option.dataset ||
        (graph.paths(entity.dataset, option.dataset).length > 0 && entity.dataset !== home && !reached(entity.dataset)),
    ) ||
    (draft.clause.relation && graph.paths(draft.clause.relation.dataset, option.dataset).length > 0) ||
    (draft.options.length === 1 && c.draft.verbs.length > 0);
  if (!named) return refuse(draft.text);
  // "customers with a total over 100" may be about the sum of all their orders.
  const { name, synonyms } = c.vocabulary.dataset(option.dataset);
  const spoken = [name, ...synonyms].some((title) => ` ${phraseKey(draft.text)} `.includes(` ${phraseKey(title)} `));
  const about = draft.clause.relation?.dataset === option.dataset || c.draft.entities.some((entity) => entity.dataset === option.dataset);
  if (isNumeric(option.field.datatype) && !spoken && !about) return refuse(draft.text, `Say whether one ${name} or all together are meant.`);
  const relation = draft.clause.relation?.dataset;
  const viaRelation =
    relation && relation !== home && !reached(relation)
      ? throughTo(c, home, relation, draft.clause.relation!.text)
      : null;
  if (viaRelation && graph.paths(viaRelation, option.dataset).length > 0)
    return { draft, option, through: viaRelation };
  return { draft, option, through: throughTo(c, home, option.dataset, draft.text) };
};

/** "employees who report to Nancy": the condition is about the row that a row of the same dataset leads to. */
const selfRole = (c: Cursor, draft: ConditionDraft, home: string): string | null => {
  const verb = c.draft.verbs.find(
    (one) => one.at < draft.at && SUPERIOR.test(one.text) && (one.clause === draft.clause || draft.clause.id === 0),
  );
  if (!verb || !draft.options.some((option) => option.dataset === home)) return null;
  const roles = c.vocabulary.lens.relationships.filter((one) => one.from.dataset === home && one.to.dataset === home);
  const upward = /^report/.test(verb.text)
    ? c.tokens[verb.at + 1]?.norm === 'to'
    : c.tokens[verb.at + 1]?.norm === 'by';
  if (roles.length !== 1 || !upward) return refuse([verb.text, draft.text]);
  return roles[0]!.role;
};
const SUPERIOR = /^(?:report|manag|supervis|lead|led|follow|precede|parent)/;

const chooseOption = (
  c: Cursor,
  mention: Parameters<typeof choose>[1],
  draft: ConditionDraft,
  options: ConditionOption[],
  home: string,
): ConditionOption => {
  const { graph } = c.vocabulary;
  if (options.length === 1 || draft.bound) return choose(c, mention, options, home);
  // A value of a parent of a dataset named beside it: "Rock tracks", where Rock is a genre.
  const direct = options.filter(
    (option) => option.dataset === home || c.draft.entities.some((entity) => entity.dataset === option.dataset),
  );
  if (direct.length === 0) {
    const parents = options.filter((option) => graph.paths(home, option.dataset).length > 0);
    if (parents.length === 1) return parents[0]!;
    if (parents.length === 0) {
      const linked = options.filter((option) =>
        c.draft.entities.some((entity) => graph.paths(entity.dataset, option.dataset).length > 0),
      );
      if (linked.length === 1) return linked[0]!;
    }
  }
  return choose(c, mention, options, home);
};

const oneOrAll = (filters: (Condition | AnyOf | Exists)[]): Condition | AnyOf | Exists | AllOf =>
  filters.length === 1 ? filters[0]! : { kind: 'all', of: filters };

/** "from Boston to Chicago": the preposition or verb in front says which role. */
const roleBefore = (c: Cursor, at: number, home: string, dataset: string): string | undefined => {
  const roles = pathsFrom(c, home, dataset);
  if (roles.length < 2) return undefined;
  let before = at - 1;
  while (before >= 0 && /^(?:the|a|an|city|of|state|airport|station|country)$/.test(c.tokens[before]!.norm)) before--;
  const word = `${c.tokens[before - 1]?.norm ?? ''} ${c.tokens[before]?.norm ?? ''}`;
  const wanted = /(?:^| )from$|depart|leav/.test(word)
    ? /origin|source|depart|from|start|sender|pickup|home/
    : /(?:^| )to$|arriv|into$|land/.test(word)
      ? /dest|target|arriv|to$|end|receiver|recipient|dropoff|away/
      : null;
  const fitting = wanted ? roles.filter((role) => wanted.test(role)) : [];
  return fitting.length === 1 ? fitting[0] : undefined;
};

/** The placed condition as filters of `home`. */
const conditionsOf = (
  c: Cursor,
  { draft, option }: Placed,
  home: string,
  built: Built,
  negate: boolean,
): Condition[] => {
  const mention = { text: draft.text, at: draft.at, bound: draft.bound, boundRole: draft.boundRole };
  mention.boundRole ??= roleBefore(c, draft.at, home, option.dataset);
  const ref = refTo(c, mention, home, option);
  const check = (field: LensField, values: Scalar[], known: boolean): void => {
    if (draft.op !== '=' && draft.op !== 'in') return;
    if (field.datatype !== 'string') return;
    for (const value of values) {
      const stored = field.dictionary?.values.some((one) => one.value === value);
      if (stored) continue;
      if (field.dictionary?.complete) {
        const said = c.choices[`${option.dataset}.${field.name}`];
        if (said && field.dictionary.values.some((one) => one.value === said)) values[values.indexOf(value)] = said;
        else unknownValue(option.dataset, field, String(value));
      } else built.unproven.push({ path: ref.path, field: field.name, value: String(value) });
      void known;
    }
  };
  const values = [...option.values];
  check(option.field, values, option.known);
  if (option.synonym) built.notes.push(`"${option.synonym}" was read as ${option.values.join(', ')} by synonym.`);
  built.values.push({ name: `${ref.path}.${ref.field}`, text: values.map(String).join(', ') });
  let { op } = draft;
  if (negate) {
    const opposite = NEGATED[op];
    if (!opposite || option.and) return refuse(draft.text);
    op = opposite;
  }
  const first: Condition = { kind: 'condition', field: ref, op, values };
  if (op === 'contains' || op === 'starts_with' || op === 'ends_with') {
    first.caseInsensitive = draft.anyCase === true;
    built.notes.push(
      first.caseInsensitive
        ? `Case is ignored in "${values[0]}".`
        : `Case matters: "${values[0]}" is looked for as written.`,
    );
  }
  if (draft.than) first.than = { kind: 'aggregate', fn: 'avg', path: option.dataset, field: option.field.name };
  const more = (option.and ?? []).map((part): Condition => {
    const own = [...part.values];
    check(part.field, own, part.known);
    return {
      kind: 'condition',
      field: { path: ref.path, field: part.field.name },
      op: own.length > 1 ? 'in' : '=',
      values: own,
    };
  });
  return [first, ...more];
};
export const NEGATED: Partial<Record<Condition['op'], Condition['op']>> = {
  '=': '!=',
  '!=': '=',
  in: 'not_in',
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  is_null: 'is_not_null',
  is_not_null: 'is_null',
};

export const buildFilters = (c: Cursor, home: string, related: TimeDraft[]): Built => {
  const built: Built = { filters: [], unproven: [], notes: [], values: [], related: [] };
  const placed = c.draft.conditions.map((draft) => place(c, draft, home));
  const reached = (dataset: string): boolean => c.vocabulary.graph.paths(home, dataset).length > 0;
  const clauses = new Set<Clause>([...c.draft.clauses]);
  const anyGroups = orGroups(placed);

  for (const group of anyGroups) {
    if (group.some((one) => one.draft.negated || one.draft.clause.negated)) refuse(group.map((one) => one.draft.text));
    const of = group.map((one): Condition | AllOf | Exists => {
      if (one.through) {
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
    const negatedRelation = clause.negated && relation && !isOwn;
    if (clause.negated && !negatedRelation && plain.length + beyond.length > 1)
      refuse(own.map((one) => one.draft.text));
    if (clause.negated && relation && isOwn && own.length === 0) refuse(relation.text);
    if (
      clause.negated &&
      own.length === 0 &&
      !negatedRelation &&
      !c.draft.havings.some((one) => one.negated) &&
      !c.draft.definitions.some((one) => one.clause === clause) &&
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
      const timeFilters = times.flatMap((time) => timeConditions(c, time, path));
      if (clause.both && conditions.length === 1 && conditions[0]!.option.values.length > 1) {
        for (const value of conditions[0]!.option.values) {
          const single = {
            ...conditions[0]!,
            option: { ...conditions[0]!.option, values: [value] },
            draft: { ...conditions[0]!.draft, op: '=' as const },
          };
          built.filters.push({
            kind: 'exists',
            path,
            negated: clause.negated,
            where: [...conditionsOf(c, single, path, built, false), ...timeFilters],
          });
        }
        continue;
      }
      const joined = conditions.find((one) => one.option.values.length > 1 && one.draft.op === 'in');
      if (joined && /\band\b/i.test(joined.draft.text) && !/\bor\b/i.test(joined.draft.text) && !joined.draft.negated)
        refuse(joined.draft.text, `"${joined.draft.text}" can mean both at once or either; say "both … and" or "or".`);
      const inner = conditions.flatMap((one) => {
        if (one.draft.negated && conditions.length > 1) refuse(one.draft.text);
        return conditionsOf(c, { ...one, draft: { ...one.draft } }, path, built, false);
      });
      const negated = clause.negated !== (conditions.length === 1 && conditions[0]!.draft.negated);
      const exists: Exists = { kind: 'exists', path, negated, where: [...inner, ...timeFilters] };
      if (relation?.count && throughTo(c, home, relation.dataset, relation.text) === path)
        exists.count = countOf(c, relation);
      built.filters.push(exists);
    }
  }
  contradictions(built.filters, placed);
  return built;
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
  const plain = filters.flatMap((filter) =>
    filter.kind === 'condition' && typeof filter.values[0] === 'string' ? [filter] : [],
  );
  for (const one of plain) {
    for (const other of plain) {
      const same = one !== other && one.field.path === other.field.path && one.field.field === other.field.field;
      const equal = (condition: Condition): boolean => condition.op === '=' || condition.op === 'in';
      const unequal = (condition: Condition): boolean => condition.op === '!=' || condition.op === 'not_in';
      if (same && equal(one) && (unequal(other) || equal(other)))
        refuse(
          placed.map(({ draft }) => draft.text),
          'These conditions on one column cannot hold for one row together.',
        );
    }
  }
};

/** "fewer than 3 orders" holds for those without any, which people may not mean. */
const countOf = (c: Cursor, relation: NonNullable<Clause['relation']>): Exists['count'] => {
  const { count, text } = relation;
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
      'Conditions joined by both "and" and "or" have two readings.',
    );
  return groups;
};

/** A time window as conditions on the date of a related dataset, or of the one it hangs on. */
const timeConditions = (c: Cursor, { mention, text }: TimeDraft, path: string): Condition[] => {
  const years = yearConditions(c, path, { mention });
  if (years) return years;
  const ref = timeFieldFrom(c, path, text);
  if (!ref) return refuse(text);
  const conditions: Condition[] = [];
  if (mention.from) conditions.push({ kind: 'condition', field: ref, op: '>=', values: [mention.from] });
  if (mention.to) conditions.push({ kind: 'condition', field: ref, op: '<', values: [mention.to] });
  return conditions;
};

/** A whole number called year, in a dataset without dates. */
export const yearField = (c: Cursor, home: string): FieldRef | null => {
  const { fields } = c.vocabulary.dataset(home);
  if (fields.some((field) => isTemporal(field.datatype))) return null;
  const years = fields.filter((field) => isNumeric(field.datatype) && words(field.name).includes('year'));
  return years.length === 1 ? { path: home, field: years[0]!.name } : null;
};
/** "in 2014", "after 1950" about a year that is a whole number; null where it is not, or where the period is no years. */
export const yearConditions = (
  c: Cursor,
  home: string,
  { mention }: Pick<TimeDraft, 'mention'>,
): Condition[] | null => {
  const field = yearField(c, home);
  const edges = [mention.from, mention.to].filter((edge) => edge !== null);
  if (!field || edges.some((edge) => !edge.endsWith('-01-01'))) return null;
  const year = (edge: string): number => Number(edge.slice(0, 4));
  if (mention.from && mention.to && year(mention.to) === year(mention.from) + 1)
    return [{ kind: 'condition', field, op: '=', values: [year(mention.from)] }];
  return [
    ...(mention.from ? [{ kind: 'condition', field, op: '>=', values: [year(mention.from)] } as Condition] : []),
    ...(mention.to ? [{ kind: 'condition', field, op: '<', values: [year(mention.to)] } as Condition] : []),
  ];
};

/** The date that a question means when it names none: the dataset's time field, its only date, or that of the nearest
 *  dataset its rows lead to. */
export const timeFieldFrom = (c: Cursor, home: string, text: string): { path: string; field: string } | null => {
  const { graph } = c.vocabulary;
  const steps = [...graph.reach(home).values()].sort((one, other) => one.hops - other.hops);
  let hops = -1;
  const found: { path: string; field: string; dataset: string }[] = [];
  for (const step of steps) {
    if (found.length > 0 && step.hops > hops) break;
    const dataset = c.vocabulary.dataset(step.dataset);
    const dates = dataset.fields.filter((field) => isTemporal(field.datatype) && !field.masked);
    const own = dataset.timeField ?? (dates.length === 1 ? dates[0]!.name : null);
    if (dates.length > 1 && !dataset.timeField && step.hops === 0) {
      return ambiguous(
        c,
        text,
        dates.map((field) => ({ key: `${step.dataset}.${field.name}`, field })),
      );
    }
    if (!own) continue;
    // A parent's date is not the date of the row unless the parent is an event with a declared time field.
    if (step.hops > 0 && !dataset.timeField && !isEvent(step.dataset)) continue;
    hops = step.hops;
    found.push({ path: pathsFrom(c, home, step.dataset)[0] ?? step.path, field: own, dataset: step.dataset });
  }
  return found.length === 1 ? { path: found[0]!.path, field: found[0]!.field } : null;
};
const isEvent = (dataset: string): boolean =>
  /order|invoice|sale|visit|booking|payment|transaction|shipment|event|flight|rental|trip|appointment|enrol/.test(
    dataset,
  );
