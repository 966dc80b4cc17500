// Exits with 1 if a case fails, or if the suite has a wrong answer that is graded verified.

import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { z } from 'zod';
import {
  type Cassette,
  cassetteLineSchema,
  createRecordingCassette,
  createReplayingCassette,
} from '../adapters/language-model/cassette.ts';
import type { evalRunDetailSchema } from '../contract/mgmt/evals.ts';
import { describeReader } from '../domain/evals/readers.ts';
import type { SuiteFigures, SuiteReport } from '../domain/evals/suite.ts';
import { connectToServer } from './client.ts';
import { evaluateSuite } from './evaluate-suite.ts';
import { Failure } from './terminal/failure.ts';
import { waitForRun } from './terminal/follow-run.ts';
import { printResult, showProgress } from './terminal/print.ts';

type EvalRunDetail = z.infer<typeof evalRunDetailSchema>;

interface EvalOptions {
  json?: boolean;
  suite?: string;
  draft?: boolean;
  record?: string;
  replay?: string;
}

export async function runEvalCommand(lens: string | undefined, options: EvalOptions): Promise<void> {
  const { suite, draft, record, replay } = options;
  if (lens === undefined && suite !== undefined) return evalSuite(suite, options);
  if (lens === undefined || suite !== undefined)
    throw new Failure('Give either a published lens or a suite folder with --suite, not both.', 2);
  if (draft || record || replay)
    throw new Failure('--draft, --record and --replay need a suite: give its folder with --suite.', 2);
  return evalLens(lens, options);
}

async function evalLens(lens: string, options: EvalOptions): Promise<void> {
  const client = await connectToServer('admin');
  const base = `/mgmt/lenses/${encodeURIComponent(lens)}/evals`;
  const { run_id } = await client.call<{ run_id: string }>('POST', `${base}/run`, {});
  await waitForRun(client, 'Asking', run_id);
  const detail = await client.call<EvalRunDetail>('GET', `${base}/runs/${run_id}`);
  printResult(options, detail, formatLensReport(lens, detail));
  if (detail.summary.failed > 0) throw new Failure(`${detail.summary.failed} of ${detail.summary.cases} cases fail.`);
}

function formatLensReport(lens: string, { summary, cases }: EvalRunDetail): string[] {
  const { verified } = summary.by_grade;
  return [
    ...cases.map(({ id, question, passed, reason, detail }) =>
      passed ? `pass  ${id}` : `FAIL  ${id}: ${question}\n      ${reason}: ${detail}`,
    ),
    '',
    `${lens}: ${summary.passed} of ${summary.cases} cases pass.`,
    `Accuracy ${formatPercent(summary.accuracy)}; clarifications ${formatPercent(summary.clarification_accuracy)}; refusals: precision ${formatPercent(summary.refusal.precision)}, recall ${formatPercent(summary.refusal.recall)}.`,
    `Paraphrase stability ${formatPercent(summary.paraphrase_stability)}. Of ${verified.answers} answers graded verified, ${formatPercent(verified.share)} were right.`,
    ...summary.by_reader.map(describeReader),
    ...(summary.regressed.length > 0
      ? [`Passed in the previous run, but fail now: ${summary.regressed.join(', ')}.`]
      : []),
    ...(summary.fixed.length > 0 ? [`Failed in the previous run, but pass now: ${summary.fixed.join(', ')}.`] : []),
  ];
}

async function evalSuite(dir: string, options: EvalOptions): Promise<void> {
  const cassette = await openCassette(options);
  const report = await evaluateSuite(
    resolve(dir),
    options.draft ?? false,
    (activity, done, total) => showProgress(`${activity}… ${done} of ${total}`),
    cassette,
  ).finally(() => showProgress(''));
  printResult(options, report, formatSuiteReport(report));
  const wrongCount = countWrongVerified(report);
  if (wrongCount > 0) throw new Failure(`${wrongCount} answer(s) graded verified are wrong.`);
}

export async function openCassette({
  record,
  replay,
}: Pick<EvalOptions, 'record' | 'replay'>): Promise<Cassette | null> {
  if (record && replay) throw new Failure('Give either --record or --replay, not both.', 2);
  if (record) return createRecorder(record);
  return replay ? openReplayer(replay) : null;
}

function createRecorder(file: string): Cassette {
  try {
    writeFileSync(file, '', { flag: 'wx' });
  } catch (fault) {
    const reason = (fault as NodeJS.ErrnoException).code === 'EEXIST' ? 'it already exists' : (fault as Error).message;
    throw new Failure(`Can't create the recording ${file}: ${reason}.`, 2);
  }
  return createRecordingCassette((line) => appendFileSync(file, `${JSON.stringify(line)}\n`));
}

async function openReplayer(file: string): Promise<Cassette> {
  const text = await readFile(file, 'utf8').catch((fault: Error) => {
    throw new Failure(`Can't read the recording ${file}: ${fault.message}.`, 2);
  });
  const lines = text.split('\n').flatMap((line, lineIndex) => {
    if (line.trim() === '') return [];
    try {
      return [cassetteLineSchema.parse(JSON.parse(line))];
    } catch {
      throw new Failure(`${file}, line ${lineIndex + 1}: this line is not part of a recording.`, 2);
    }
  });
  return createReplayingCassette(lines);
}

/** Counts wrong answers graded verified. Skips questions whose expected answer is disputed. */
const countWrongVerified = ({ results }: SuiteReport): number =>
  results.filter(
    (result) => result.status === 'answered' && result.confidence === 'verified' && !result.passed && !result.disputed,
  ).length;

function formatSuiteReport(report: SuiteReport): string[] {
  const failedAnswers = report.results.filter((result) => result.status === 'answered' && !result.passed);
  return [
    ...report.gold_faults.map(({ id, message }) => `The expected SQL of ${id} does not run: ${message}`),
    ...failedAnswers.map(
      (failedAnswer) =>
        `${failedAnswer.confidence === 'verified' ? 'VERIFIED BUT WRONG' : `wrong (${failedAnswer.confidence})`}${failedAnswer.disputed ? ', expected answer disputed' : ''}  ${failedAnswer.id}: ${failedAnswer.question}\n    ${failedAnswer.reason}: ${failedAnswer.detail}\n    interpreted as: ${failedAnswer.scope}\n    ${failedAnswer.sql?.replaceAll(/\s+/g, ' ')}`,
    ),
    '',
    ...formatSection('Questions', report.figures),
    ...(report.figures.questions === report.without_disputed.questions
      ? []
      : formatSection('Questions with an undisputed expected answer', report.without_disputed)),
    ...(report.paraphrases.questions === 0 ? [] : formatSection('Paraphrases', report.paraphrases)),
    `Paraphrase stability (same SQL): ${formatPercent(report.paraphrase_stability)}.`,
    ...report.by_reader.map(describeReader),
    ...(report.models.calls === 0 ? [] : [formatUsage(report.models)]),
    `Time per question: median ${report.ms.median} ms, 95th percentile ${report.ms.p95} ms.`,
  ];
}

function formatSection(title: string, figures: SuiteFigures): string[] {
  const writeGrade = (name: keyof SuiteFigures['by_grade']) => {
    const { asked, right, share } = figures.by_grade[name];
    return `${name} ${right}/${asked} (${formatPercent(share)})`;
  };
  return [
    `${title}: ${figures.questions} asked. svc answered ${formatPercent(figures.coverage)} of the answerable questions.`,
    `  right: ${figures.accuracy.right}/${figures.accuracy.asked} (${formatPercent(figures.accuracy.share)}); by grade: ${writeGrade('verified')}, ${writeGrade('partial')}, ${writeGrade('unverified')}`,
    `  right answers graded verified: ${formatPercent(figures.verified_of_right)}; verified but wrong: ${figures.verified_but_wrong.length}`,
    `  refusals: precision ${formatPercent(figures.refusal.precision)}, recall ${formatPercent(figures.refusal.recall)}; clarifications right: ${figures.clarifications.right}/${figures.clarifications.asked}`,
    '',
  ];
}

function formatUsage({ calls, tokens_in, tokens_out, cost, asked }: SuiteReport['models']): string {
  const toPerThousand = (sum: number) => Math.round((sum / asked) * 1000).toLocaleString('en');
  const costText = cost === null ? '' : `, ${((cost / asked) * 1000).toFixed(2)} USD`;
  return `Language models: ${calls} calls for ${asked} questions; 1,000 questions take ${toPerThousand(calls)} calls, ${toPerThousand(tokens_in)} tokens in, ${toPerThousand(tokens_out)} out${costText}.`;
}

const formatPercent = (share: number | null): string => (share === null ? 'none' : `${(share * 100).toFixed(1)} %`);
