// The data that one compilation collects: literals, columns, joins, policies and faults.
import type { ProblemDetail } from '../../contract/problem.ts';
import type { Datatype } from '../../contract/warehouse.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { dialectOf } from '../../dialects/dialects.ts';
import type { Expression, Query } from '../../dialects/tree.ts';
import { constantExpression } from '../../guard/literals.ts';
import { unknownNameMessage } from '../../lens/files/project-problem.ts';
import { datasetOfPath } from '../../lens/model/join-paths.ts';
import {
  type Caller,
  findField,
  type Lens,
  type LensDataset,
  type LensField,
  type LensRelationship,
} from '../../lens/model/lens.ts';
import type { ReadAuthored } from '../../lens/policies/authored.ts';
import { Problem } from '../../platform/problem.ts';
import type { FieldRef } from '../lens-plan.ts';

export interface CompiledColumn {
  name: string;
  datatype: Datatype;
  unit: string | null;
  /** The origin of the column, such as `orders.region`, `metric revenue` or `sum(orders.sales)`. */
  source: string;
}
export interface CompiledTree {
  query: Query;
  columns: CompiledColumn[];
  ordered: boolean;
}

/** Faults in filters. To find the position of one of these faults, svc searches the filters first. */
export const CONDITION_FAULTS = new WeakSet<ProblemDetail>();

export class Compilation {
  readonly lens: Lens;
  readonly caller: Caller;
  readonly dialect: Dialect;
  readonly readAuthored: ReadAuthored;
  readonly extraColumns = new Set<string>();
  readonly joins = new Set<string>();
  readonly policies = new Set<string>();
  readonly masks = new Set<string>();
  readonly datasets = new Set<string>();
  readonly relationships = new Set<LensRelationship>();
  /**
   * `fields`: each field that the statement reads, as `dataset.field`. `keys`: datasets whose rows are identified by
   * their primary key.
   */
  readonly fields = new Set<string>();
  readonly keys = new Set<string>();
  readonly metrics = new Set<string>();
  readonly notes = new Set<string>();
  readonly faults: ProblemDetail[] = [];

  constructor(lens: Lens, caller: Caller, readAuthored: ReadAuthored) {
    this.lens = lens;
    this.caller = caller;
    this.dialect = dialectOf(lens.dialect);
    this.readAuthored = readAuthored;
  }

  addFault(message: string, path = '', code = 'invalid'): void {
    if (!this.faults.some((existingFault) => existingFault.message === message))
      this.faults.push({ path, message, code });
  }

  addConditionFault(message: string, path: string): void {
    this.addFault(message, path);
    const detail = this.faults.find((existingFault) => existingFault.message === message);
    if (detail) CONDITION_FAULTS.add(detail);
  }

  throwFaults(): void {
    if (this.faults.length === 0) return;
    throw new Problem('invalid', this.faults.map(({ message }) => message).join(' '), { details: this.faults });
  }

  /** Records a join in the form that answers show. */
  join(relationship: LensRelationship): void {
    const { from, to, role } = relationship;
    const pairs = from.columns.map((column, index) => `${from.dataset}.${column} = ${to.dataset}.${to.columns[index]}`);
    this.relationships.add(relationship);
    this.joins.add(`${pairs.join(' and ')}${role === to.dataset ? '' : ` as ${role}`}`);
  }

  readonly literal = (value: string | number | boolean, datatype: Datatype): Expression =>
    constantExpression(this.lens.dialect, value, datatype);

  /** Returns the dataset at the end of a path. If there is no such dataset, adds a fault with the valid names. */
  dataset(path: string): LensDataset | null {
    const foundDataset = datasetOfPath(this.lens, path) ?? null;
    if (!foundDataset) this.unknown('dataset or role', path, this.lens.datasets);
    return foundDataset;
  }

  unknown(kind: string, writtenName: string, validObjects: readonly { name: string }[]): null {
    const names = validObjects.map(({ name }) => name);
    this.addFault(unknownNameMessage(kind, writtenName, names), writtenName, 'unknown_name');
    return null;
  }

  field(ref: FieldRef): { dataset: LensDataset; field: LensField } | null {
    const writtenName = `${ref.path}.${ref.field}`;
    const foundDataset = this.dataset(ref.path);
    if (!foundDataset) return null;
    const foundField = findField(foundDataset, ref.field);
    if (!foundField) return this.unknown('field', writtenName, foundDataset.fields);
    if (ref.grain && !['date', 'datetime', 'datetimetz'].includes(foundField.datatype)) {
      this.addFault(`${writtenName} is not a date, so it has no .${ref.grain}.`, writtenName);
      return null;
    }
    if (ref.grain === 'hour' && foundField.datatype === 'date') {
      this.addFault(`${writtenName} is a date without a time of day.`, writtenName);
      return null;
    }
    return { dataset: foundDataset, field: foundField };
  }
}
