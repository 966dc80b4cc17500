// Finds the single word that svc didn't know, if svc would write the model's statement without this word. svc then
// proposes to add the word to the lens, either as a filler word or as a synonym of a name in the plan. A curator
// decides. If the word is added, later questions with this word need no model.
import type { PatchChange } from '../../../contract/mgmt/reviews.ts';
import { replaceWords } from '../../../domain/lenses/read-without-filler-words.ts';
import { findPlainMetricName, type LensPlan } from '../../../plan/lens-plan.ts';
import { RESTRICTING_ENTRIES } from '../../../reader/english/restricting-words.ts';
import type { CompiledPlan, ReadingProof } from '../../outcome.ts';
import { planQuestion } from '../plan-question.ts';
import { proveReading } from '../prove-reading.ts';
import type { ModelRequest } from './decide.ts';

const MAX_TRIED_WORDS = 8;
const RESTRICTING_WORDS = new Set(RESTRICTING_ENTRIES.flatMap(({ said }) => said.split('|')));

export async function findWordToTeach(
  modelRequest: ModelRequest,
  plan: CompiledPlan,
  proof: ReadingProof,
): Promise<PatchChange | null> {
  const [word, second] = proof.same ? proof.omitted : proof.unaccountedWords;
  if (word === undefined || second !== undefined || modelRequest.asked.context?.length) return null;
  if (
    proof.same ||
    (!RESTRICTING_WORDS.has(word.toLowerCase()) && (await compilesToSameStatement(modelRequest, plan, word, '')))
  )
    return { kind: 'filler_word', word };
  for (const { text, change } of listPlanNames(plan.lensPlan, word).slice(0, MAX_TRIED_WORDS))
    if (await compilesToSameStatement(modelRequest, plan, word, text)) return change;
  return null;
}

async function compilesToSameStatement(
  { grantedLens, asked, limits }: ModelRequest,
  plan: CompiledPlan,
  word: string,
  replacement: string,
) {
  const changedQuestion = { ...asked, question: replaceWords(asked.question, [word], replacement) };
  if (changedQuestion.question === '') return false;
  const planOrEnd = await planQuestion(grantedLens, changedQuestion, limits);
  return (await proveReading(grantedLens, changedQuestion, plan, planOrEnd, limits)).same;
}

/** The names in the plan, as people write them in a question. */
function listPlanNames(
  { measures, dimensions, filters }: LensPlan,
  synonym: string,
): { text: string; change: PatchChange }[] {
  const metrics = measures.flatMap((measure) => findPlainMetricName(measure) ?? []);
  const conditions = filters.flatMap((filter) => ('field' in filter ? [filter] : []));
  const fields = [...dimensions, ...conditions.map(({ field }) => field)];
  const toPlainName = (name: string) => name.replaceAll('_', ' ');
  return [
    ...metrics.map((name) => ({
      text: toPlainName(name),
      change: { kind: 'synonym' as const, of: 'metric' as const, name, synonym },
    })),
    ...fields.map(({ path, field }) => ({
      text: toPlainName(field),
      change: { kind: 'synonym' as const, of: 'field' as const, name: `${path}.${field}`, synonym },
    })),
    ...conditions.flatMap(({ field: { path, field }, values }) =>
      values.map((value) => ({
        text: String(value),
        change: { kind: 'value_synonym' as const, field: `${path}.${field}`, value: String(value), synonym },
      })),
    ),
  ];
}
