// svc eval LENS: runs the lens's cases on the server, shows progress, prints the verdicts. Exit 1 when one fails.
import { connect } from './client.ts';
import { Failure } from './failure.ts';
import { followRun } from './follow-run.ts';

interface Detail {
  summary: {
    cases: number;
    passed: number;
    failed: number;
    accuracy: number | null;
    clarification_accuracy: number | null;
    refusal: { precision: number | null; recall: number | null };
    paraphrase_stability: number | null;
    calibration: Record<string, { answers: number; right: number; share: number | null }>;
    regressed: string[];
    fixed: string[];
  };
  cases: { id: string; question: string; passed: boolean; reason: string | null; detail: string | null }[];
}

export async function evalLens(lens: string, options: { json?: boolean }): Promise<void> {
  const client = await connect('admin');
  const base = `/mgmt/lenses/${encodeURIComponent(lens)}/evals`;
  const { run_id } = await client.call<{ run_id: string }>('POST', `${base}/run`, {});
  await followRun(client, 'Asking', run_id);
  const detail = await client.call<Detail>('GET', `${base}/runs/${run_id}`);
  console.log(options.json ? JSON.stringify(detail, null, 2) : readable(lens, detail));
  if (detail.summary.failed > 0) throw new Failure(`${detail.summary.failed} of ${detail.summary.cases} cases fail.`);
}

function readable(lens: string, { summary, cases }: Detail): string {
  const percent = (share: number | null) => (share === null ? 'none' : `${(share * 100).toFixed(1)} %`);
  const verified = summary.calibration['verified'];
  return [
    ...cases.map(({ id, question, passed, reason, detail }) =>
      passed ? `pass  ${id}` : `FAIL  ${id}: ${question}\n      ${reason}: ${detail}`,
    ),
    '',
    `${lens}: ${summary.passed} of ${summary.cases} cases pass.`,
    `Accuracy ${percent(summary.accuracy)}; clarifications ${percent(summary.clarification_accuracy)}; refusals: precision ${percent(summary.refusal.precision)}, recall ${percent(summary.refusal.recall)}.`,
    `Paraphrase stability ${percent(summary.paraphrase_stability)}. Of ${verified?.answers ?? 0} answers graded verified, ${percent(verified?.share ?? null)} were right.`,
    ...(summary.regressed.length > 0 ? [`Worse than the run before: ${summary.regressed.join(', ')}.`] : []),
    ...(summary.fixed.length > 0 ? [`Better than the run before: ${summary.fixed.join(', ')}.`] : []),
  ].join('\n');
}
