// svc eval LENS | --suite DIR: evaluates a published lens, or runs a suite in a temporary database. Exits with 1 if an
// answer graded verified is wrong.
import { resolve } from 'node:path';
import { readerLine } from '../domain/evals/readers.ts';
import type { SuiteFigures, SuiteReport } from '../domain/evals/suite.ts';
import { openCassette } from './cassette-file.ts';
import { evalLens } from './eval-command.ts';
import { evaluateSuite } from './evaluate-suite.ts';
import { Failure } from './terminal/failure.ts';

interface SuiteOptions {
  draft?: boolean;
  record?: string;
  replay?: string;
}

export async function evalCommand(
  lens: string | undefined,
  options: { json?: boolean; suite?: string } & SuiteOptions,
): Promise<void> {
  if ((lens === undefined) === (options.suite === undefined))
    throw new Failure('Give either a published lens or a suite folder with --suite, not both.', 2);
  if (options.draft && !options.suite) throw new Failure('--draft needs a suite: give its folder with --suite.', 2);
  if ((options.record || options.replay) && !options.suite)
    throw new Failure('--record and --replay need a suite: give its folder with --suite.', 2);
  return lens === undefined ? evalSuite(options.suite!, options) : evalLens(lens, options);
}

async function evalSuite(dir: string, options: { json?: boolean } & SuiteOptions): Promise<void> {
  const cassette = await openCassette(options);
  const isInteractive = process.stderr.isTTY;
  const showProgress = (activity: string, done: number, total: number): void => {
    if (isInteractive) process.stderr.write(`\r\u001b[K${activity}… ${done} of ${total}`);
  };
  const report = await evaluateSuite(resolve(dir), options.draft ?? false, showProgress, cassette).finally(
    () => isInteractive && process.stderr.write('\r\u001b[K'),
  );
  console.log(options.json ? JSON.stringify(report, null, 2) : suiteReport(report));
  const wrongCount = countWrongVerified(report);
  if (wrongCount > 0) throw new Failure(`${wrongCount} answer(s) graded verified are wrong.`);
}

/**
 * Counts wrong answers graded verified, to questions and to paraphrases. Skips questions whose expected answer is
 * disputed.
 */
const countWrongVerified = ({ results }: SuiteReport): number =>
  results.filter(
    (result) => result.status === 'answered' && result.confidence === 'verified' && !result.passed && !result.disputed,
  ).length;

function suiteReport(report: SuiteReport): string {
  const failedAnswers = report.results.filter((result) => result.status === 'answered' && !result.passed);
  return [
    ...report.gold_faults.map(({ id, message }) => `The expected SQL of ${id} does not run: ${message}`),
    ...failedAnswers.map(
      (failedAnswer) =>
        `${failedAnswer.confidence === 'verified' ? 'VERIFIED BUT WRONG' : `wrong (${failedAnswer.confidence})`}${failedAnswer.disputed ? ', expected answer disputed' : ''}  ${failedAnswer.id}: ${failedAnswer.question}\n    ${failedAnswer.reason}: ${failedAnswer.detail}\n    read as: ${failedAnswer.scope}\n    ${failedAnswer.sql?.replaceAll(/\s+/g, ' ')}`,
    ),
    '',
    ...sectionText('Questions', report.figures),
    ...(report.figures.questions === report.without_disputed.questions
      ? []
      : sectionText('Without questions whose expected answer is disputed', report.without_disputed)),
    ...(report.paraphrases.questions === 0 ? [] : sectionText('Paraphrases', report.paraphrases)),
    `Paraphrase stability (same SQL): ${percentText(report.paraphrase_stability)}.`,
    ...report.by_reader.map(readerLine),
    ...(report.models.calls === 0 ? [] : [usageText(report.models)]),
    `Time per question: median ${report.ms.median} ms, 95th percentile ${report.ms.p95} ms.`,
  ].join('\n');
}

function sectionText(title: string, figures: SuiteFigures): string[] {
  const gradeText = (name: keyof SuiteFigures['by_grade']) => {
    const { asked, right, share } = figures.by_grade[name];
    return `${name} ${right}/${asked} (${percentText(share)})`;
  };
  return [
    `${title}: ${figures.questions} asked; answered ${percentText(figures.coverage)} of the answerable questions.`,
    `  right: ${figures.accuracy.right}/${figures.accuracy.asked} (${percentText(figures.accuracy.share)}); by grade: ${gradeText('verified')}, ${gradeText('partial')}, ${gradeText('unverified')}`,
    `  right answers graded verified: ${percentText(figures.verified_of_right)}; verified but wrong: ${figures.verified_but_wrong.length}`,
    `  refusals: precision ${percentText(figures.refusal.precision)}, recall ${percentText(figures.refusal.recall)}; clarifications right: ${figures.clarifications.right}/${figures.clarifications.asked}`,
    '',
  ];
}

function usageText({ calls, tokens_in, tokens_out, cost, asked }: SuiteReport['models']): string {
  const perThousand = (sum: number) => Math.round((sum / asked) * 1000).toLocaleString('en');
  const costText = cost === null ? '' : `, ${((cost / asked) * 1000).toFixed(2)} USD`;
  return `Language models: ${calls} calls for ${asked} questions; 1,000 questions take ${perThousand(calls)} calls, ${perThousand(tokens_in)} tokens in, ${perThousand(tokens_out)} out${costText}.`;
}

const percentText = (share: number | null): string => (share === null ? 'none' : `${(share * 100).toFixed(1)} %`);
