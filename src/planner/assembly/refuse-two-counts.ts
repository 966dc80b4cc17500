// "number of loans and accounts" are two numbers, and not one for each account.
import type { Cursor } from '../grammar/cursor.ts';
import type { Shown } from '../grammar/draft.ts';
import { refuse } from '../grammar/resolve.ts';

export const refuseTwoCounts = (c: Cursor, shown: Shown[]): void => {
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
