// One thing by its name or number, said behind what it is: "track Fast As a Shark", "customer 10".

import { isNumeric } from '../words/datatypes.ts';
import { phraseKey } from '../words/vocabulary.ts';
import type { Cursor } from './cursor.ts';
import type { FieldSlot } from './draft.ts';
import { pushCondition } from './push-condition.ts';
import { conditionOnField } from './read-conditions.ts';

const isNumberOf = (dataset: string, name: string): boolean => {
  const said = phraseKey(name);
  const thing = / (?:number|no|nr|num)$/.test(said) ? said.replace(/ \S+$/, '') : null;
  return said === 'number' || (thing !== null && phraseKey(dataset).endsWith(thing));
};

/** Behind a dataset: "track Fast As a Shark", "customer Daan Peeters", "genre Rock". */
export const namedOne = (c: Cursor, dataset: string, at: number, text: string, role?: string): boolean => {
  const display = c.vocabulary.display(dataset);
  const called = c.match(/(?:named|called|titled|with (?:the )?(?:name|title))/);
  const token = c.token();
  const hash = c.token()?.kind === 'punct' && c.norm() === '#' && c.token(1)?.kind === 'number' ? 2 : 0;
  const number = hash || (c.token()?.kind === 'punct' ? 0 : c.match(/(?:(?:number|no|id|nr) )?#/));
  const { primaryKey, fields } = c.vocabulary.dataset(dataset);
  const key =
    primaryKey.length === 1
      ? fields.find((field) => field.name === primaryKey[0] && isNumeric(field.datatype))
      : undefined;
  // "the card 4560596484842" may be its number, where it has one besides its key.
  const numbered = fields.some(({ name }) => name !== key?.name && isNumberOf(dataset, name));
  if (
    number > 0 &&
    key &&
    !numbered &&
    Number.isInteger(c.token(number - 1)!.value) &&
    !c.token(number - 1)!.unit &&
    !c.time()
  ) {
    const from = c.at;
    const { value } = c.token(number - 1)!;
    c.accept(number, 'value');
    return (
      pushCondition(c, from, [{ dataset, role, field: key, values: [value!], known: true, loose: 0 }], '=', {
        named: true,
        bound: dataset,
      }) !== null
    );
  }
  if (display.length === 0 || !token || !(token.capital || token.kind === 'quoted' || called > 0)) return false;
  if (token.kind === 'punct' || (c.phrase() && c.values(0).length === 0 && called === 0)) return false;
  const slot: FieldSlot = { at, text, candidates: [{ dataset, role, fields: display, loose: 0 }], bound: dataset };
  const before = c.at;
  if (conditionOnField(c, slot, before, called === 0) !== null) return true;
  // "track Balls to the Wall", where not all names of tracks are kept: taken as written, and to be proven.
  const singular = c.tokens[before - 1]?.norm === c.tokens[before - 1]?.stem;
  return (
    singular &&
    display.length === 1 &&
    !display[0]!.dictionary?.complete &&
    conditionOnField(c, slot, before, false) !== null
  );
};
