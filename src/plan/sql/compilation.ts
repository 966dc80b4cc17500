// The data that one compilation collects: literals, columns, joins, policies and errors.
import type { ProblemDetail } from '../../contract/problem.ts';
import type { Datatype } from '../../contract/warehouse.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { findDialect } from '../../dialects/dialects.ts';
import type { Expression, Query } from '../../dialects/tree.ts';
import { createConstant } from '../../guard/literals.ts';
import { findDatasetOfPath } from '../../lens/model/join-paths.ts';
import {
  type Caller,
  findField,
  type Lens,
  type LensDataset,
  type LensField,
  type LensRelationship,
} from '../../lens/model/lens.ts';
import type { AuthoredExpressionReader } from '../../lens/policies/authored-reader.ts';
import { Problem } from '../../platform/problem.ts';
import type { FieldRef } from '../lens-plan.ts';

export interface CompiledColumn {
  name: string;
  datatype: Datatype;
  unit: string | null;
  /** The origin of the column, such as `orders.region`, `metric revenue` or `sum(orders.sales)`. */
  source: string;
}
export const toCompiledColumn = ({ name, datatype, unit, source }: CompiledColumn): CompiledColumn => ({
  ...{ name, datatype, unit, source },
});
export interface CompiledTree {
  query: Query;
  columns: CompiledColumn[];
  ordered: boolean;
}

/** Errors in filters. To find the position of such an error in the plan, svc searches the filters first. */
export const CONDITION_FAULTS = new WeakSet<ProblemDetail>();

export class Compilation {
  readonly lens: Lens;
  readonly caller: Caller;
  readonly dialect: Dialect;
  readonly readAuthored: AuthoredExpressionReader;
  readonly extraColumns = new Set<string>();
  readonly joins = new Set<string>();
  /** Sentences about joins, for cases in which a reader could expect a join along another path. */
  readonly routes = new Set<string>();
  readonly policies = new Set<string>();
  readonly masks = new Set<string>();
  readonly datasets = new Set<string>();
  readonly relationships = new Set<LensRelationship>();
  /**
   * `fields` contains each field that the statement reads, as `dataset.field`. `keys` contains the datasets whose rows
   * the statement identifies by their primary key.
   */
  readonly fields = new Set<string>();
  readonly keys = new Set<string>();
  readonly metrics = new Set<string>();
  readonly notes = new Set<string>();
  readonly faults: ProblemDetail[] = [];

  constructor(lens: Lens, caller: Caller, readAuthored: AuthoredExpressionReader) {
    this.lens = lens;
    this.caller = caller;
    this.dialect = findDialect(lens.dialect);
    this.readAuthored = readAuthored;
  }

  /** Records the fault. Returns null, so that the caller of this function can return null in place of its result. */
  addFault(message: string, path = '', code = 'invalid'): null {
    if (!this.faults.some((existingFault) => existingFault.message === message))
      this.faults.push({ path, message, code });
    return null;
  }

  addConditionFault(message: string, path: string): null {
    this.addFault(message, path);
    CONDITION_FAULTS.add(this.faults.find((existingFault) => existingFault.message === message)!);
    return null;
  }

  throwFaults(): void {
    if (this.faults.length === 0) return;
    throw new Problem('invalid', this.faults.map(({ message }) => message).join(' '), { details: this.faults });
  }

  /** Records a join in the form that answers show. */
  recordJoin(relationship: LensRelationship): void {
    const { from, to, role } = relationship;
    const pairs = from.columns.map((column, index) => `${from.dataset}.${column} = ${to.dataset}.${to.columns[index]}`);
    this.relationships.add(relationship);
    this.joins.add(`${pairs.join(' and ')}${role === to.dataset ? '' : ` as ${role}`}`);
  }

  readonly literal = (value: string | number | boolean, datatype: Datatype): Expression =>
    createConstant(this.lens.dialect, value, datatype);

  /** Returns the dataset at the end of a path. The path must exist in the lens. */
  requireDataset(path: string): LensDataset {
    const foundDataset = findDatasetOfPath(this.lens, path);
    if (!foundDataset) throw new Error(`The lens has no dataset ${path}`);
    return foundDataset;
  }

  requireField({ path, field }: FieldRef): { dataset: LensDataset; field: LensField } {
    const dataset = this.requireDataset(path);
    const foundField = findField(dataset, field);
    if (!foundField) throw new Error(`The lens has no field ${path}.${field}`);
    return { dataset, field: foundField };
  }
}
