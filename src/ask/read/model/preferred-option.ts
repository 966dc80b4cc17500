// Orders the options of a clarification by a model's interpretation. The option that leads to the model's statement
// comes first. The caller still makes the choice.
import type { Clarification } from '../../../contract/ask.ts';
import { isEarlyEnd } from '../../outcome.ts';
import { planQuestion } from '../plan-question.ts';
import { decide, type ModelReader } from './decide.ts';
import { compiledOf } from './decided-plan.ts';

const MAX_TRIED_OPTIONS = 12;

export async function withPreferredOption(reader: ModelReader, clarification: Clarification): Promise<Clarification> {
  const { granted, asked, limits } = reader;
  const { term, options } = clarification;
  if (options.length < 2) return clarification;
  const decided = await decide(reader);
  const proposed = decided && (await compiledOf(reader, decided));
  if (!proposed || typeof proposed === 'string' || isEarlyEnd(proposed)) return clarification;
  for (const option of options.slice(0, MAX_TRIED_OPTIONS)) {
    const key = typeof option === 'string' ? option : option.key;
    const chosen = await planQuestion(granted, { ...asked, choices: { ...asked.choices, [term]: key } }, limits);
    if (isEarlyEnd(chosen) || chosen.compiled.sql !== proposed.compiled.sql) continue;
    return {
      ...clarification,
      message: `${clarification.message} A language model would choose ${key}.`,
      options: [option, ...options.filter((item) => item !== option)],
    };
  }
  return clarification;
}
