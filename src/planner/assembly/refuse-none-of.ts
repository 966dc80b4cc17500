// "Which countries have no channel in English?" asks for countries none of whose channels are; the rows at hand are the
// channels. What single rows are not says nothing of a value that many rows share, so it is not answered from them.
import type { Cursor } from '../grammar/cursor.ts';
import type { FieldSlot, Shown } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

/** Rows are left out, whatever the values they hold: "countries of channels excluding Italian ones". */
const LEAVES_OUT = /^(?:excluding|except|exclude|besides|outside|apart|other|omitting|ignoring)$/;

const shared = (c: Cursor, { candidates, bound }: FieldSlot, home: string): boolean => {
  const { primaryKey } = c.vocabulary.dataset(home);
  const naming = [...primaryKey, ...c.vocabulary.display(home).map(({ name }) => name)];
  const own = candidates.filter(({ dataset }) => dataset === home);
  return (
    own.length > 0 &&
    (bound ?? home) === home &&
    own.every(({ fields }) => !fields.some(({ name }) => naming.includes(name)))
  );
};

/** "schools whose division is not 1", where the details of a school are one row of their own. */
const oneToOne = (c: Cursor, home: string, dataset: string): boolean =>
  c.vocabulary.lens.relationships.some(
    ({ from, to }) =>
      from.dataset === home &&
      to.dataset === dataset &&
      [...from.columns].sort().join() === [...c.vocabulary.dataset(home).primaryKey].sort().join(),
  );

export const refuseNoneOf = (c: Cursor, shown: Shown[], home: string): void => {
  const { draft } = c;
  const slots = shown.flatMap(({ slot, measure }) =>
    slot
      ? [slot]
      : measure?.kind === 'aggregate' && measure.fn === 'count_distinct' && measure.slot
        ? [measure.slot]
        : [],
  );
  if (slots.length === 0 || !slots.every((slot) => shared(c, slot, home))) return;
  // "headquarters without a company in …" names the rows only to say that there are none.
  const rowsNamed = draft.entities.some(
    ({ dataset, clause }) => !clause.negated && (dataset === home || oneToOne(c, home, dataset)),
  );
  if (rowsNamed || c.tokens.some(({ norm }) => LEAVES_OUT.test(norm))) return;
  // "genres with more than 25 performances": of all its artists together, and not of one of them.
  const many = draft.clauses.find(({ relation }) => relation?.count)?.relation;
  if (many) refuse(many.text);
  const own = (field: unknown): boolean =>
    slots.some(({ candidates }) => candidates.some(({ fields }) => fields.some((one) => one === field)));
  const told = draft.conditions.find(
    ({ negated, clause, op, options }) =>
      (negated || clause.negated || op === 'is_null') && !options.some(({ field }) => own(field)),
  );
  const without = draft.clauses.find(({ negated, relation }) => negated && relation)?.relation;
  const text = told?.text ?? without?.text;
  if (text === undefined) return;
  // What a key tells apart is a thing with rows of its own: none of them is so.
  if (
    slots.every(({ candidates }) =>
      candidates.every(({ fields }) => fields.every(({ name }) => /_(?:id|key)$/i.test(name))),
    )
  )
    refuse(text);
  const rows = home.replaceAll('_', ' ');
  refuse(text, `"${slots[0]!.text}" of which some ${rows} are so, or all? Ask for the ${rows} themselves.`);
};
