// Shows which answers a fix would change. Runs the ticket's question, evals, certified questions and recent questions
// on the current and the changed lens.
import type { Envelope } from '../contract/ask.ts';
import { toSlug } from '../domain/certified/entries.ts';
import { readGapQuestions } from '../domain/cockpit/gap-map.ts';
import { listEvals } from '../domain/evals/evals.ts';
import { isSameOutcome, toResultRows } from '../domain/evals/judge-case.ts';
import type { Principal } from '../domain/identity/principal.ts';
import { checkDraft } from '../domain/lenses/check-draft.ts';
import type { LiveLens, LiveLenses } from '../domain/lenses/lens-repository.ts';
import { getVersion } from '../domain/lenses/lens-versions.ts';
import { readRequestSample } from '../domain/observe/request-repository.ts';
import { type Patch, type PatchPreview, savePreview } from '../domain/patches/patch-repository.ts';
import { type PatchDeps, planPatchEdits } from '../domain/patches/patches.ts';
import { withDictionaries } from '../domain/project/read-dictionaries.ts';
import { findReview } from '../domain/reviews/review-repository.ts';
import { createId } from '../platform/ids.ts';
import { Problem } from '../platform/problem.ts';
import { mapInParallel } from '../platform/schedule/in-parallel.ts';
import { createBackgroundContext } from './entry-points.ts';
import type { UntracedAsk } from './untraced-ask.ts';

const PREVIEW_BUDGET_MS = 20_000;
const MAX_QUESTIONS = 100;
const MAX_SHOWN_ROWS = 5;
interface PatchEdit {
  own: Record<string, string>;
  shared: string | null;
}
interface PreviewQuestion {
  kind: PatchPreview['answer_changes'][number]['kind'];
  id: string;
  question: string;
  choices?: Record<string, string> | null;
}

type PreviewDeps = PatchDeps & { untracedAsk: UntracedAsk; lenses: LiveLenses };

export async function previewPatch(
  deps: PreviewDeps,
  principal: Principal,
  liveLens: LiveLens,
  patch: Patch,
): Promise<PatchPreview> {
  const signal = AbortSignal.timeout(PREVIEW_BUDGET_MS);
  const edit = await planPatchEdits(deps, principal.orgId, liveLens, patch.change);
  const previews = [await previewLens(deps, principal, liveLens, { patch, edit }, signal)];
  // A shared definition affects every lens that doesn't define the term itself.
  const otherLenses = edit?.shared ? await deps.lenses.list(principal.orgId, edit.byApi?.lenses ?? null) : [];
  for (const otherLens of otherLenses.filter(({ name }) => name !== liveLens.name)) {
    const { files } = await getVersion(deps, principal.orgId, otherLens.name, null);
    const sharedEdit = { patch: { ...patch, reviewId: null }, edit: { own: files, shared: edit!.shared } };
    previews.push(await previewLens(deps, principal, otherLens, sharedEdit, signal));
  }
  const preview = {
    problems: previews.flatMap(({ problems }) => problems),
    warnings: [...new Set(previews.flatMap(({ warnings }) => warnings))],
    compared: previews.reduce((sum, { compared }) => sum + compared, 0),
    answer_changes: previews.flatMap(({ answer_changes }) => answer_changes),
    previewed_at: deps.clock.now().toISOString(),
  };
  await deps.tenancy.inTenant(principal.orgId, (db) => savePreview(db, patch.id, preview));
  return preview;
}

async function previewLens(
  deps: PatchDeps & { untracedAsk: UntracedAsk },
  principal: Principal,
  liveLens: LiveLens,
  { patch, edit }: { patch: Patch; edit: PatchEdit | null },
  signal: AbortSignal,
): Promise<Omit<PatchPreview, 'previewed_at'>> {
  const emptyPreview = { problems: [], warnings: [], compared: 0, answer_changes: [] };
  const nextLens = await buildPatchedLens(deps, principal, liveLens, patch, edit);
  if (!nextLens.lens) return { ...emptyPreview, problems: nextLens.problems, warnings: nextLens.warnings };
  const questions = await listPreviewQuestions(deps, principal.orgId, liveLens, patch);
  const [previous, current] = [deps.untracedAsk(liveLens), deps.untracedAsk(nextLens.lens)];
  const ask = async (target: typeof previous, { question, choices }: PreviewQuestion): Promise<Envelope | Problem> => {
    try {
      const body = { q: question, format: 'structured' as const, ...(choices && { choices }) };
      return await target.query(createBackgroundContext(principal, signal), liveLens.name, body);
    } catch (fault) {
      if (fault instanceof Problem) return fault;
      throw fault;
    }
  };
  let comparedCount = 0;
  const changes = await mapInParallel(questions, 2, async (question) => {
    if (signal.aborted) return null;
    const [before, after] = [await ask(previous, question), await ask(current, question)];
    comparedCount++;
    const isSame =
      before instanceof Problem || after instanceof Problem
        ? before instanceof Problem && after instanceof Problem && before.code === after.code
        : isSameOutcome(before, after) && before.certification === after.certification;
    const { kind, id, question: text } = question;
    const shown = { before: toShownAnswer(before), after: toShownAnswer(after) };
    return isSame ? null : { lens: liveLens.name, kind, id, question: text, ...shown };
  });
  const timeLimitWarnings =
    comparedCount < questions.length
      ? [
          `${questions.length - comparedCount} of ${questions.length} questions were not compared within the time limit.`,
        ]
      : [];
  return {
    ...emptyPreview,
    warnings: [...nextLens.warnings, ...timeLimitWarnings],
    compared: comparedCount,
    answer_changes: changes.filter((change) => change !== null),
  };
}

async function buildPatchedLens(
  deps: PatchDeps,
  { orgId, name }: Principal,
  liveLens: LiveLens,
  { change, id }: Patch,
  edit: PatchEdit | null,
) {
  const patchedLens = { ...liveLens, version: liveLens.version + 1, stamp: `patch ${id} ${createId()}` };
  if (edit && change.kind !== 'certified') {
    const { lens, dictionaries, problems, warnings } = await checkDraft(deps, orgId, liveLens.name, edit.own, {
      sharedDefinitions: edit.shared,
    });
    return { lens: lens && { ...patchedLens, lens: withDictionaries(lens, dictionaries) }, problems, warnings };
  }
  const certified = new Map(liveLens.certified);
  if (change.kind === 'certified') {
    const certId = change.cert_id ?? toSlug(change.question);
    const { question, sql, also_asked: alsoAsked = [], parameters = {} } = change;
    const approval = { approvedBy: name, approvedAt: null, status: 'approved' as const, notes: null };
    certified.set(certId, { certId, question, alsoAsked, sql, parameters, ...approval });
  }
  return { lens: { ...patchedLens, lens: { ...liveLens.lens }, certified }, problems: [], warnings: [] };
}

async function listPreviewQuestions(
  deps: PatchDeps,
  orgId: string,
  liveLens: LiveLens,
  { reviewId, gapId, change }: Patch,
): Promise<PreviewQuestion[]> {
  const evals = await listEvals(deps, orgId, liveLens, { limit: MAX_QUESTIONS, after: null });
  return deps.tenancy.inTenant(orgId, async (db) => {
    const review = reviewId ? await findReview(db, reviewId) : null;
    const missedQuestions = gapId ? await readGapQuestions(db, gapId) : [];
    const recentQuestions = (await readRequestSample(db, { lens: liveLens.name }, 1_000)).top_questions;
    const certified = [...liveLens.certified.values()].filter(({ parameters }) => Object.keys(parameters).length === 0);
    const questions: PreviewQuestion[] = [
      ...(review?.question ? [{ kind: 'review' as const, id: review.ticketId, question: review.question }] : []),
      ...('question' in change ? [createPreviewQuestion('certified', change)] : []),
      ...evals.map(({ id, question, choices }) => ({ kind: 'eval' as const, id, question, choices })),
      ...certified
        .slice(0, MAX_QUESTIONS)
        .map(({ certId, question }) => ({ kind: 'certified' as const, id: certId, question })),
      ...[...missedQuestions, ...recentQuestions].map((item) => createPreviewQuestion('request', item)),
    ];
    const seenTexts = new Set<string>();
    return questions.filter(({ question }) => {
      const isNew = !seenTexts.has(question.toLowerCase());
      seenTexts.add(question.toLowerCase());
      return isNew;
    });
  });
}

const createPreviewQuestion = (kind: PreviewQuestion['kind'], { question }: { question: string }): PreviewQuestion => ({
  kind,
  id: toSlug(question),
  question,
});

function toShownAnswer(answer: Envelope | Problem): unknown {
  if (answer instanceof Problem) return { status: 'failed', code: answer.code };
  const { status, certification, row_count, data, clarification, answer: message } = answer;
  if (status !== 'answered')
    return { status, ...(clarification ? { clarification: clarification.kind } : { message }) };
  const rows = toResultRows(answer);
  if (rows.length === 1 && rows[0]!.length === 1) return { status, certification, value: rows[0]![0] };
  return { status, certification, row_count, rows: data?.slice(0, MAX_SHOWN_ROWS) };
}
