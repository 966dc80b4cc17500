// "number of loans and accounts" are two numbers, and not one for each account.
import type { Cursor } from '../grammar/cursor.ts';
import type { Shown } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

/** "the number of readers and the number of readers who get the newsletter": what restricts the second alone would
 *  restrict both. */
const refuseTwin = (shown: Shown[]): void => {
  const said = new Set<string>();
  for (const { measure } of shown) {
    if (!measure || measure.window || measure.combined || measure.growth) continue;
    const { kind, fn, dataset, metrics, slot, text } = measure;
    const key = JSON.stringify([kind, fn, dataset, metrics?.map(({ name }) => name), slot?.text.toLowerCase()]);
    if (said.has(key) && kind !== 'money') refuse(text, 'Ask for these numbers one at a time.');
    said.add(key);
  }
};

export const refuseTwoCounts = (c: Cursor, shown: Shown[]): void => {
  refuseTwin(shown);
  for (const [index, { entity }] of shown.entries()) {
    const counted = shown[index - 1]?.measure;
    if (!entity || !counted || c.tokens[entity.at - 1]?.norm !== 'and') continue;
    const noun = c.tokens[entity.at - 2];
    const last = c.tokens[entity.at + entity.text.split(' ').length - 1];
    const many = [noun, last].every((token) => token?.kind === 'word' && token.norm !== token.stem);
    const said = c.tokens.slice(counted.at, entity.at - 1).some(({ norm }) => /^(?:number|count|many)$/.test(norm));
    if (many && said) refuse(entity.text, 'Ask for one number at a time, or say "for each" or "per".');
  }
};
