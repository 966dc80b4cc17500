// Describes the columns of a table to the guard when no lens exists. svc's own statements can use only these columns.
import type { Dialect } from '../../../contract/warehouse.ts';
import { tableName } from '../../../lens/model/sql-name.ts';
import type { JoinSide } from '../../profiling/weigh-join.ts';
import type { JoinEnd } from './name-joins.ts';

export const toJoinSide = ({ table, columns }: JoinEnd, dialect: Dialect): JoinSide => {
  const source = { catalog: null, schema: table.schema, table: table.table };
  return {
    from: tableName(dialect, source),
    relation: {
      ...{ source, dataset: tableName(dialect, source), columns: [...columns], masked: [], policies: [] },
      body: '',
    },
    columns,
  };
};
