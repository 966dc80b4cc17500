// "temperature by station", where nothing says what to do with the temperatures: what never adds up is averaged, and a
// level is what it comes to at one time. Of what does add up, the asker says whether a total or a mean is meant.
import { addingUp } from '../../lens/model/aggregation.ts';
import type { Cursor } from '../grammar/cursor.ts';
import type { Shown } from '../grammar/draft.ts';
import { isKey } from '../grammar/read-things.ts';
import { isNumeric } from '../words/datatypes.ts';

export const amountByGroup = (c: Cursor, shown: Shown[]): string | null => {
  const [item, more] = shown;
  const { groups, ranks, havings, orders, limit, distinct, about } = c.draft;
  if (!item?.slot || item.entity || item.measure || more || groups.length === 0) return null;
  if (ranks.length > 0 || havings.length > 0 || orders.length > 0 || limit || distinct || about) return null;
  const { slot } = item;
  const own = slot.candidates.map(({ dataset }) => dataset);
  const grouping = groups.every((group) =>
    'candidates' in group
      ? !group.quantified &&
        !group.candidates.some(({ fields }) => slot.candidates.some((one) => one.fields[0] === fields[0]))
      : !('dataset' in group) || (!group.ordering && !own.includes(group.dataset)),
  );
  if (!grouping) return null;
  const verdicts = slot.candidates.map(({ dataset, fields }) => {
    const [field] = fields;
    return field && fields.length === 1 && isNumeric(field.datatype) && !field.masked && !isKey(c, dataset, field)
      ? addingUp(field, c.vocabulary.dataset(dataset)).how
      : null;
  });
  const [how] = verdicts;
  if ((how !== 'average' && how !== 'latest') || verdicts.some((one) => one !== how)) return null;
  const { at, text } = slot;
  const fn = how === 'average' ? 'avg' : 'sum';
  shown.splice(0, 1, { measure: { at, text, kind: 'aggregate', fn, slot } });
  return how === 'average' ? `${text} does not add up: its average is shown.` : null;
};
