import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { editYaml } from './rewrite-yaml.ts';

it('adds a connection after one whose text spans many lines', () => {
  const select = Array.from({ length: 9 }, (_, n) => `          "Column ${n}" as column_${n},`).join('\n');
  const text = `connections:
  shop:
    kind: duckdb
    files:
      orders:
        path: ./orders.parquet
        select: select "Row ID" as row_id,
${select}
          1 as one from source
groups:
  sales:
    lenses:
      - shop
`;
  const gym = { kind: 'duckdb', files: { members: { path: './members.csv' }, payments: { path: './payments.csv' } } };
  const editedText = editYaml(text, { set: [{ at: ['connections', 'gym'], value: gym }] });
  const { connections, ...rest } = parse(editedText!);
  expect(connections).toEqual({ ...parse(text).connections, gym });
  expect(rest).toEqual({ groups: parse(text).groups });
});
