// Builds the FROM clause of a SELECT: a main dataset, and many-to-one joins to the other datasets in the SELECT.
import type { Datatype } from '../../contract/warehouse.ts';
import { allOf, columnOf, compare, derivedOf, inList, joinOf } from '../../dialects/make-nodes.ts';
import { areTreesEqual } from '../../dialects/nodes.ts';
import type { Expression, FromItem, Query } from '../../dialects/tree.ts';
import {
  findBridgeDatasets,
  findDatasetOfPath,
  findPath,
  formatPath,
  hasSeveralPaths,
  listReachablePaths,
} from '../../lens/model/join-paths.ts';
import { findDataset, type LensDataset, type LensField, type LensRelationship } from '../../lens/model/lens.ts';
import { chooseKeyColumnName, createFromItem, type NeededColumns } from '../../lens/policies/dataset-source.ts';
import { listJoinColumns } from '../../lens/policies/joined-policy.ts';
import { findPolicies, listPolicyColumns } from '../../lens/policies/row-policies.ts';
import { takeFreeName } from '../../platform/take-free-name.ts';
import { type FieldRef, type Filter, formatField, type Scalar } from '../lens-plan.ts';
import type { Compilation } from './compilation.ts';

interface JoinedDataset extends NeededColumns {
  alias: string;
  dataset: LensDataset;
  /** The join to an earlier dataset. Null for the main dataset. */
  step: { parent: JoinedDataset; relationship: LensRelationship } | null;
}
export interface ScopedField {
  value: Expression;
  datatype: Datatype;
  field: LensField;
}
/** A joined subquery that repeats rows of the main dataset on purpose. */
export interface DerivedSubquery {
  join: 'inner' | 'left';
  body: () => Query;
  on: Expression | null;
  /** Adds a value of the subquery's rows to its output, and returns the output column. */
  value: (make: (inner: RowScope) => Expression) => Expression;
}

export class RowScope {
  readonly home: JoinedDataset;
  readonly compilation: Compilation;
  readonly #takenAliases: Set<string>;
  readonly #joinedDatasets: JoinedDataset[] = [];
  readonly #joinsBySteps = new Map<string, JoinedDataset>();
  readonly #subqueries = new Map<string, { alias: string; derived: DerivedSubquery | null }>();
  readonly requiredConditions: Expression[] = [];

  /** `outerAliases`: aliases of the outer statement, which a subquery must not reuse. */
  constructor(compilation: Compilation, mainDataset: string, outerAliases: ReadonlySet<string> = new Set()) {
    this.compilation = compilation;
    this.#takenAliases = new Set(outerAliases);
    const dataset = compilation.requireDataset(mainDataset);
    this.home = this.#add(dataset, dataset.name, null);
    this.#joinsBySteps.set('', this.home);
  }

  /** A scope for a subquery, whose aliases differ from those of this scope. */
  createInner(mainDataset: string): RowScope {
    return new RowScope(this.compilation, mainDataset, this.#takenAliases);
  }

  #add(dataset: LensDataset, preferredAlias: string, step: JoinedDataset['step']): JoinedDataset {
    const alias = takeFreeName(this.#takenAliases, preferredAlias);
    const joinedDataset: JoinedDataset = {
      alias,
      dataset,
      step,
      fields: new Set<string>(),
      keys: new Set<string>(),
      lookups: [],
    };
    this.#joinedDatasets.push(joinedDataset);
    this.compilation.datasets.add(dataset.name);
    return joinedDataset;
  }

  #joinSteps(steps: LensRelationship[], preferredAlias: string): JoinedDataset {
    const existingJoin = this.#joinsBySteps.get(formatPath(steps));
    if (existingJoin) return existingJoin;
    const parent = this.#joinSteps(steps.slice(0, -1), steps.at(-2)?.role ?? '');
    const relationship = steps.at(-1)!;
    const target = findDataset(this.compilation.lens, relationship.to.dataset)!;
    const joinedDataset = this.#add(target, preferredAlias, { parent, relationship });
    this.#joinsBySteps.set(formatPath(steps), joinedDataset);
    this.listPhysicalColumns(parent, relationship.from.columns);
    this.listPhysicalColumns(joinedDataset, relationship.to.columns);
    this.compilation.recordJoin(relationship);
    return joinedDataset;
  }

  /** Physical columns of a joined dataset, as alias.column. */
  listPhysicalColumns(joinedDataset: JoinedDataset, columns: string[]): Expression[] {
    return columns.map((column) => {
      joinedDataset.keys.add(column);
      this.compilation.extraColumns.add(column);
      return columnOf(joinedDataset.alias, chooseKeyColumnName(joinedDataset.dataset, column));
    });
  }

  /**
   * Returns the joined dataset at the end of a path from the main dataset. If the path doesn't exist, reports an error
   * with the reason and returns null.
   */
  joinPath(path: string, reference: string): JoinedDataset | null {
    const { lens } = this.compilation;
    const foundPath = findPath(lens, this.home.dataset.name, path);
    if (foundPath.kind === 'path') {
      const { dataset, steps } = foundPath.path;
      if (steps.length > 1 && hasSeveralPaths(lens, this.home.dataset.name, dataset.name))
        this.compilation.routes.add(
          `The join to ${dataset.name} goes through ${steps.map(({ role }) => role).join(', ')}.`,
        );
      return this.#joinSteps(steps, path.split('.').at(-1)!);
    }
    if (foundPath.kind === 'ambiguous') {
      this.compilation.addFault(
        `${reference}: several paths lead from ${this.home.dataset.name} to ${path}. Name the role: ${foundPath.choices.join(' or ')}.`,
        reference,
        'ambiguous',
      );
    } else {
      const mainDataset = this.home.dataset.name;
      const [bridge] = findBridgeDatasets(lens, mainDataset, path);
      this.compilation.addFault(
        `${reference} can't be used here: ${path} is not reachable from ${mainDataset} through many-to-one joins, so a join could count a row several times. ${bridge ? `To filter by it, use {"exists": "${bridge}", "where": [{"field": "${reference}", …}]}. ` : ''}Use fields of ${listReachablePaths(lens, mainDataset).join(', ')}.`,
        reference,
        'fan_out',
      );
    }
    return null;
  }

  joinAlong(steps: LensRelationship[]): JoinedDataset {
    return this.#joinSteps(steps, steps.at(-1)?.role ?? '');
  }

  /** Returns the primary key of a joined dataset, and records that the statement depends on this key. */
  listPrimaryKeyColumns(joinedDataset: JoinedDataset): Expression[] {
    this.compilation.keys.add(joinedDataset.dataset.name);
    return this.listPhysicalColumns(joinedDataset, joinedDataset.dataset.primaryKey);
  }

  /** Adds a subquery, or returns the existing subquery with the same key. */
  addSubquery(key: string, make: (alias: string) => DerivedSubquery | null): DerivedSubquery | null {
    const cachedEntry = this.#subqueries.get(key);
    if (cachedEntry) return cachedEntry.derived;
    const alias = takeFreeName(this.#takenAliases, 'bridged');
    const subquery = make(alias);
    this.#subqueries.set(key, { alias, derived: subquery });
    return subquery;
  }

  /** Adds conditions that the output columns require. */
  addRequiredConditions(conditions: Expression[]): void {
    for (const condition of conditions)
      if (!this.requiredConditions.some((item) => areTreesEqual(item, condition)))
        this.requiredConditions.push(condition);
  }

  compileMedian(value: Expression, datatype: Datatype, reference: string): Expression | null {
    const { median, aggregated } = this.compilation.dialect.compiling;
    if (!median) this.compilation.addFault('This warehouse has no median.', reference);
    return median?.(aggregated('median', value, datatype)) ?? null;
  }

  /** Returns the values as one string. Reports an error if svc can't write this list for the engine. */
  compileList(text: Expression, separator: string, distinct: boolean): Expression | null {
    const { name, compiling } = this.compilation.dialect;
    const list = compiling.listed(text, separator, distinct);
    const advice = distinct && compiling.listed(text, separator, false) ? 'Remove distinct, or list' : 'List';
    if (!list)
      this.compilation.addFault(
        `svc can't write a list of ${distinct ? 'distinct ' : ''}values as one string for ${name}. ${advice} the values without measures, as a dimension${distinct ? ' with distinct: true' : ''}.`,
        'list',
      );
    return list;
  }

  canReach(path: string): boolean {
    return findPath(this.compilation.lens, this.home.dataset.name, path).kind === 'path';
  }

  /** Joins the datasets in an author's expression under exactly the names in the expression. */
  joinByExactNames(fields: { dataset: string; field: string }[]): void {
    for (const { dataset: path, field } of fields) {
      const joinedDataset = this.joinPath(path, `${path}.${field}`);
      if (joinedDataset && joinedDataset.alias !== path)
        this.compilation.addFault(
          `You can't order this listing by a metric of ${path}, because the listing reads ${path} too. Order by a field, or by an aggregate of a field.`,
          'order_by',
        );
      if (joinedDataset) this.#addField(joinedDataset, field);
    }
  }

  #addField(joinedDataset: JoinedDataset, name: string): void {
    joinedDataset.fields.add(name);
    this.compilation.fields.add(`${joinedDataset.dataset.name}.${name}`);
    const field = joinedDataset.dataset.fields.find((field) => field.name === name);
    if (field?.masked) this.compilation.extraColumns.add(name);
    for (const word of listNamesInExpression(field?.expression ?? '')) this.compilation.extraColumns.add(word);
  }

  /** `isCounted`: the field is in count(distinct …), the only use of a masked field. */
  resolveField(ref: FieldRef, isCounted = false): ScopedField | null {
    const resolvedField = this.compilation.requireField(ref);
    const writtenName = formatField(ref);
    if (resolvedField.field.masked && !isCounted) {
      this.compilation.addFault(
        `${writtenName} is masked. You can only list it, as null, or use count_distinct.`,
        writtenName,
        'masked',
      );
      return null;
    }
    const joinedDataset = this.joinPath(ref.path, writtenName);
    if (!joinedDataset) return null;
    this.#addField(joinedDataset, ref.field);
    const column = columnOf(joinedDataset.alias, ref.field);
    const { exactText } = this.compilation.dialect.compiling;
    const value = exactText && resolvedField.field.datatype === 'string' ? exactText(column) : column;
    return { value, datatype: resolvedField.field.datatype, field: resolvedField.field };
  }

  /**
   * Also applies a filter below the optimization barrier of a row policy, so that the engine can use an index. svc
   * applies only comparisons of a key with literals of the key's type, because such comparisons can't fail.
   */
  addLookupCondition(condition: Filter): void {
    if (!('field' in condition) || condition.than || condition.other || condition.or_null) return;
    if (condition.field.grain) return;
    const { op, values, field } = condition;
    const resolvedField = this.compilation.requireField(field);
    if ((op !== '=' && op !== 'in') || !isVisibleKeyField(resolvedField.dataset, resolvedField.field)) return;
    if (!values.every((value) => isValueOfType(resolvedField.field.datatype, value))) return;
    const joinedDataset = this.joinPath(field.path, formatField(field));
    joinedDataset?.lookups.push((column) => {
      const items = values.map((value) => this.compilation.literal(value, resolvedField.field.datatype));
      return inList(column(resolvedField.field.name), items);
    });
  }

  /** Call this function last, because it needs to know all columns that the SELECT uses. */
  compileFromClause(): FromItem {
    const { lens, caller, literal, readAuthored, policies } = this.compilation;
    let from: FromItem | null = null;
    for (const joinedDataset of this.#joinedDatasets) {
      for (const { name } of findPolicies(lens, joinedDataset.dataset.name, caller)) policies.add(name);
      const source = createFromItem(
        { lens, caller, literal, readAuthored },
        joinedDataset.dataset,
        joinedDataset.alias,
        joinedDataset,
      );
      this.#allowPolicyColumns(joinedDataset.dataset);
      if (!from || !joinedDataset.step) {
        from = source;
        continue;
      }
      const { parent, relationship } = joinedDataset.step;
      const right = this.listPhysicalColumns(joinedDataset, relationship.to.columns);
      const on = this.listPhysicalColumns(parent, relationship.from.columns).map((left, index) =>
        compare(left, '=', right[index]!),
      );
      from = joinOf('left', from, source, { on: allOf(on) });
    }
    for (const { alias, derived } of this.#subqueries.values())
      if (derived) from = joinOf(derived.join, from!, derivedOf(derived.body(), alias), { on: derived.on });
    return from!;
  }

  #allowPolicyColumns(dataset: LensDataset): void {
    const { lens, caller, extraColumns } = this.compilation;
    const policies = findPolicies(lens, dataset.name, caller);
    for (const column of listPolicyColumns(lens, policies)) extraColumns.add(column);
    for (const policy of policies) {
      for (const column of listJoinColumns(lens, policy)) extraColumns.add(column);
      const readDatasets = [
        dataset,
        ...(policy.joins ?? []).flatMap(({ path }) => findDatasetOfPath(lens, path) ?? []),
      ];
      for (const { name, expression } of readDatasets.flatMap(({ fields }) => fields))
        if (policy.filter.includes(name))
          for (const word of [name, ...listNamesInExpression(expression ?? '')]) extraColumns.add(word);
    }
  }
}

const isVisibleKeyField = (dataset: LensDataset, field: LensField): boolean =>
  dataset.primaryKey.includes(field.name) && field.expression === null && !field.masked;

const isValueOfType = (datatype: Datatype, value: Scalar): boolean =>
  datatype === 'integer' ? Number.isSafeInteger(value) : datatype === 'string' && typeof value === 'string';

/** Every word in an expression that can be the name of a column, with its quotes removed. */
const listNamesInExpression = (expression: string): string[] =>
  (expression.match(/"(?:[^"]|"")+"|`(?:[^`]|``)+`|[\p{L}_][\p{L}\p{N}_$]*/gu) ?? []).map((word) =>
    /^["`]/.test(word) ? word.slice(1, -1).replaceAll('""', '"').replaceAll('``', '`') : word,
  );
