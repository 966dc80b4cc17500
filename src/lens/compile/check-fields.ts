// Checks that fields run and have their declared types. One statement checks many fields of a dataset. If the statement
// fails, svc checks each field with its own statement, so that every fault has a location.
import type { Datatype } from '../../contract/warehouse.ts';
import { guardSql } from '../../guard/guard-sql.ts';
import { mapInParallel } from '../../platform/schedule/in-parallel.ts';
import type { ProjectProblem } from '../files/project-problem.ts';
import type { CreateProblem } from '../files/yaml-file.ts';
import { type Lens, type LensDataset, type LensField, SVC_CALLER } from '../model/lens.ts';
import { sqlName, tableName } from '../model/sql-name.ts';
import { governedRelations } from '../policies/governed-relations.ts';
import {
  CHECK_OPTIONS,
  CHECKS_AT_ONCE,
  type CheckedWarehouse,
  captureFailure,
  createProgressReporter,
  type ReportProgress,
} from './checked-warehouse.ts';

const FIELDS_PER_STATEMENT = 300; // with thousands of fields, an engine takes seconds to parse the statement
export const TYPE_FAMILIES: Record<Datatype, string> = {
  string: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'boolean',
  date: 'time',
  datetime: 'time',
  datetimetz: 'time',
  time: 'clock',
};

export async function checkFields(
  lens: Lens,
  warehouse: CheckedWarehouse,
  complain: CreateProblem,
  report?: ReportProgress,
): Promise<ProjectProblem[]> {
  const foundProblems = await mapInParallel(
    lens.datasets,
    CHECKS_AT_ONCE,
    async (dataset) => {
      const fields = dataset.fields.filter((field) => field.expression || !field.masked);
      if (fields.length === 0) return [];
      let types: Datatype[] = [];
      const readTypes = async (batch: LensField[]): Promise<void> => {
        types = await fetchTypes(lens, dataset, batch, warehouse);
      };
      const fieldProblems: ProjectProblem[] = [];
      const retriedFields: LensField[] = [];
      for (let offset = 0; offset < fields.length; offset += FIELDS_PER_STATEMENT) {
        const batch = fields.slice(offset, offset + FIELDS_PER_STATEMENT);
        if (await captureFailure(() => readTypes(batch))) retriedFields.push(...batch);
        else fieldProblems.push(...batch.flatMap((field, n) => mismatchProblems(field, types[n])));
      }
      for (const field of retriedFields) {
        const reason = await captureFailure(() => readTypes([field]));
        if (!reason) fieldProblems.push(...mismatchProblems(field, types[0]));
        else
          fieldProblems.push(
            complain(
              ['datasets', dataset.name, 'fields', field.name, ...(field.expression ? ['expression'] : [])],
              'expression',
              `The field "${field.name}" fails in the warehouse: ${reason}`,
            ),
          );
      }
      return fieldProblems;

      function mismatchProblems({ name, datatype }: LensField, actual: Datatype | undefined): ProjectProblem[] {
        if (!actual || TYPE_FAMILIES[actual] === TYPE_FAMILIES[datatype]) return [];
        return [
          complain(
            ['datasets', dataset.name, 'fields', name, 'datatype'],
            'datatype',
            `${dataset.name}.${name} is declared as ${datatype}, but is ${actual} in the warehouse.${TYPE_FAMILIES[actual] === 'text' && TYPE_FAMILIES[datatype] === 'time' ? ` If its strings are dates, add expression: cast(${name} as ${datatype === 'date' ? 'date' : 'timestamp'}).` : ''}`,
          ),
        ];
      }
    },
    createProgressReporter(report, 'fields'),
  );
  return foundProblems.flat();
}

async function fetchTypes(
  lens: Lens,
  dataset: LensDataset,
  fields: LensField[],
  warehouse: CheckedWarehouse,
): Promise<Datatype[]> {
  const unmaskedFields = fields.map((field) => ({ ...field, masked: false }));
  const sql = `select ${fields.map(({ name }) => sqlName(lens.dialect, name)).join(', ')} from ${tableName(lens.dialect, dataset.source)}`;
  const statement = await guardSql(sql, {
    dialect: lens.dialect,
    relations: await governedRelations({ ...lens, datasets: [{ ...dataset, fields: unmaskedFields }] }, SVC_CALLER),
    mode: 'govern',
    maxRows: 1,
  });
  return (await warehouse.describe(statement, CHECK_OPTIONS)).map(({ datatype }) => datatype);
}
