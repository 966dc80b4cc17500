import type { CompleteRequestParams, CompleteResult } from '@modelcontextprotocol/server';
import { completeQuestion } from '../../ask/complete-question.ts';
import { findGrantedLens, listGrantedLenses } from '../../ask/read/resolve-lens.ts';
import { getLastDataTimestamp } from '../../ask/run/freshness.ts';
import { completeQuerySchema } from '../../contract/lens.ts';
import type { Deps } from '../../deps.ts';
import { type Principal, toCaller } from '../../domain/identity/principal.ts';
import { Problem } from '../../platform/problem.ts';
import { ASK_PROMPT } from './prompts.ts';

/** The protocol allows at most this number of completions. */
const MAX_COMPLETIONS = 100;

export async function completeArgument(
  deps: Pick<Deps, 'lenses' | 'warehouses' | 'freshness' | 'clock'>,
  principal: Principal,
  { ref, argument: { name, value }, context }: CompleteRequestParams,
): Promise<CompleteResult> {
  const values = ref.type === 'ref/prompt' && ref.name === ASK_PROMPT.name ? await listCompletions() : [];
  return {
    completion: {
      values: values.slice(0, MAX_COMPLETIONS),
      total: values.length,
      hasMore: values.length > MAX_COMPLETIONS,
    },
  };

  async function listCompletions(): Promise<string[]> {
    if (name === 'lens')
      return (await listGrantedLenses(deps.lenses, principal))
        .map((grantedLens) => grantedLens.name)
        .filter((item) => item.startsWith(value));
    const lens = context?.arguments?.['lens'];
    const query = completeQuerySchema.safeParse({ q: value, limit: MAX_COMPLETIONS });
    // Each suggestion includes the typed question, so a long question gets no completions.
    if (name !== 'question' || lens === undefined || !query.success) return [];
    try {
      const liveLens = await findGrantedLens(deps.lenses, principal, lens);
      const times = { now: deps.clock.now(), dataEnd: getLastDataTimestamp(deps, principal, liveLens) };
      const { next } = completeQuestion(liveLens.lens, toCaller(principal), query.data, times);
      return [...new Set(next.map(({ text, from }) => `${value.slice(0, from)}${text}`))];
    } catch (fault) {
      // A lens that the caller can't use has no completions, like a lens that doesn't exist.
      if (fault instanceof Problem && fault.code === 'not_found') return [];
      throw fault;
    }
  }
}
