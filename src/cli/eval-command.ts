// svc eval LENS: runs the lens's cases on the server, shows progress and prints the results. Exits with 1 if a case
// fails.
import type { z } from 'zod';
import type { evalRunDetail } from '../contract/mgmt/evals.ts';
import { readerLine } from '../domain/evals/readers.ts';
import { connect } from './client.ts';
import { Failure } from './terminal/failure.ts';
import { followRun } from './terminal/follow-run.ts';

type EvalRunDetail = z.infer<typeof evalRunDetail>;

export async function evalLens(lens: string, options: { json?: boolean }): Promise<void> {
  const client = await connect('admin');
  const base = `/mgmt/lenses/${encodeURIComponent(lens)}/evals`;
  const { run_id } = await client.call<{ run_id: string }>('POST', `${base}/run`, {});
  await followRun(client, 'Asking', run_id);
  const detail = await client.call<EvalRunDetail>('GET', `${base}/runs/${run_id}`);
  console.log(options.json ? JSON.stringify(detail, null, 2) : evalReport(lens, detail));
  if (detail.summary.failed > 0) throw new Failure(`${detail.summary.failed} of ${detail.summary.cases} cases fail.`);
}

function evalReport(lens: string, { summary, cases }: EvalRunDetail): string {
  const percentText = (share: number | null) => (share === null ? 'none' : `${(share * 100).toFixed(1)} %`);
  const { verified } = summary.by_grade;
  return [
    ...cases.map(({ id, question, passed, reason, detail }) =>
      passed ? `pass  ${id}` : `FAIL  ${id}: ${question}\n      ${reason}: ${detail}`,
    ),
    '',
    `${lens}: ${summary.passed} of ${summary.cases} cases pass.`,
    `Accuracy ${percentText(summary.accuracy)}; clarifications ${percentText(summary.clarification_accuracy)}; refusals: precision ${percentText(summary.refusal.precision)}, recall ${percentText(summary.refusal.recall)}.`,
    `Paraphrase stability ${percentText(summary.paraphrase_stability)}. Of ${verified.answers} answers graded verified, ${percentText(verified.share)} were right.`,
    ...summary.by_reader.map(readerLine),
    ...(summary.regressed.length > 0 ? [`Worse than the previous run: ${summary.regressed.join(', ')}.`] : []),
    ...(summary.fixed.length > 0 ? [`Better than the previous run: ${summary.fixed.join(', ')}.`] : []),
  ].join('\n');
}
