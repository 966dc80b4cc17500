// "the attendances of the performances", where there are rows of attendances and a performance holds an attendance.

import { isNumeric } from '../words/datatypes.ts';
import type { Cursor } from './cursor.ts';
import { peekEntity } from './read-things.ts';
import { refuse } from './resolve.ts';

export const refuseRowsOrAmount = (c: Cursor, entity: NonNullable<ReturnType<typeof peekEntity>>): void => {
  const of = c.match(/of(?: (?:the|all|all the|each|every|our))?/, entity.length);
  const owner = of > 0 ? peekEntity(c, entity.length + of) : null;
  if (!owner || owner.dataset === entity.dataset) return;
  const amount = c
    .phrase()
    ?.terms.find(
      (term) =>
        term.kind === 'field' && term.dataset === owner.dataset && term.loose === 0 && isNumeric(term.field.datatype),
    );
  if (amount?.kind !== 'field') return;
  const said = c.textOf(c.at, entity.length);
  const rows = c.vocabulary.dataset(entity.dataset).name;
  refuse(said, `Say whether rows of "${rows}" are meant, or "${amount.field.name}" of "${owner.dataset}".`);
};
