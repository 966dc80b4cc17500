// Proposes questions from the log for certification: questions that recur, or that a person confirmed or corrected.
// Questions whose meaning depends on the day ("last month") can't be certified.

import { setImmediate as pause } from 'node:timers/promises';
import type { z } from 'zod';
import type { candidateSchema } from '../../contract/mgmt/certified.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { createId, isId } from '../../platform/ids.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import { addCamelCaseAliases } from '../../platform/tenancy/columns.ts';
import type { RowPage } from '../../platform/tenancy/row-page.ts';
import { type Tenancy, type TenantClient, withOwnTransaction } from '../../platform/tenancy/tenant.ts';
import { findMeaningDifferences, normalizeQuestion } from '../../reader/meaning-check.ts';
import { type Actor, runAudited } from '../audit/audit-log.ts';
import type { LiveLens } from '../lenses/lens-repository.ts';
import { readWithoutFillerWords } from '../lenses/read-without-filler-words.ts';
import { listRecentQuestions } from '../observe/question-repository.ts';
import { toCanonicalJson } from '../receipts/canonical-json.ts';
import { approveCertifiedEntry, createCertifiedEntry, type EntryDeps, type LensTarget } from './entries.ts';
import type { StoredEntry } from './entry-repository.ts';

type CandidateEvidence = z.infer<typeof candidateSchema>['evidence'];
export interface Candidate {
  id: string;
  question: string;
  variants: string[];
  sql: string;
  evidence: CandidateEvidence;
  status: 'open' | 'accepted' | 'dismissed';
  certId: string | null;
  decidedBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}
interface DistillationPorts {
  /** Returns the governed SQL without row policies, or null if svc can't answer the question directly. */
  sqlOf: (question: string) => Promise<string | null>;
  runs: (sql: string) => Promise<boolean>;
}
interface CandidateDraft {
  question: string;
  variants: string[];
  sql: string | null;
  evidence: CandidateEvidence;
}
const MAX_CANDIDATES = 100;
const MAX_QUESTIONS = 300;

export async function findCandidates(
  deps: { tenancy: Tenancy },
  orgId: string,
  liveLens: LiveLens,
  ports: DistillationPorts,
  { minAsks, report }: { minAsks: number; report: (progress: { done: number; total: number }) => void },
): Promise<number> {
  const { asked: pastAsks, ruled: reviewedQuestions } = await deps.tenancy.inTenant(orgId, async (db) => ({
    asked: await listRecentQuestions(db, { lens: liveLens.name, answered: true }),
    ruled: await listReviewedQuestions(db, liveLens.name),
  }));
  const drafts: CandidateDraft[] = [];
  const addDraft = (question: string, evidence: CandidateEvidence, sql: string | null) => {
    const existingDraft = drafts.find(
      (draft) => findMeaningDifferences(liveLens.lens, draft.question, question).length === 0,
    );
    if (!existingDraft) return void drafts.push({ question, variants: [], sql, evidence });
    if (
      normalizeQuestion(existingDraft.question) !== normalizeQuestion(question) &&
      !existingDraft.variants.includes(question)
    )
      existingDraft.variants.push(question);
    existingDraft.sql = sql ?? existingDraft.sql;
    const { evidence: oldEvidence } = existingDraft;
    existingDraft.evidence = {
      asks: oldEvidence.asks + evidence.asks,
      callers: Math.max(oldEvidence.callers, evidence.callers),
      confirmed: oldEvidence.confirmed + evidence.confirmed,
      corrected: oldEvidence.corrected || evidence.corrected,
      last_at: oldEvidence.last_at ?? evidence.last_at,
    };
  };
  for (const { question, correction, confirmed } of reviewedQuestions)
    addDraft(
      question,
      { asks: 0, callers: 0, confirmed: confirmed ? 1 : 0, corrected: correction !== null, last_at: null },
      correction,
    );
  for (const [index, ask] of pastAsks.slice(0, MAX_QUESTIONS).entries()) {
    if (index % 10 === 9) await pause();
    addDraft(
      ask.question,
      { asks: ask.asks, callers: ask.callers, confirmed: 0, corrected: false, last_at: ask.lastAt.toISOString() },
      null,
    );
  }
  const selectedDrafts = drafts
    .filter(({ evidence: { asks, confirmed, corrected } }) => asks >= minAsks || confirmed > 0 || corrected)
    .filter(({ question }) => hasTimelessMeaning(liveLens.lens, question) && !isCertified(liveLens, question))
    .slice(0, MAX_CANDIDATES);
  let savedCount = 0;
  for (const [doneCount, draft] of selectedDrafts.entries()) {
    report({ done: doneCount, total: selectedDrafts.length });
    const sql = draft.sql ?? (await ports.sqlOf(draft.question));
    if (!sql || !(await ports.runs(sql))) continue;
    await deps.tenancy.inTenant(orgId, (db) => saveCandidate(db, liveLens.lensId, { ...draft, sql }));
    savedCount++;
  }
  report({ done: selectedDrafts.length, total: selectedDrafts.length });
  return savedCount;
}

function hasTimelessMeaning(lens: Lens, question: string): boolean {
  const readPlanOn = (day: string) => {
    const reading = readWithoutFillerWords({ question, lens, choices: {}, now: new Date(day) });
    return reading.kind === 'plan' ? toCanonicalJson(reading.plan) : null;
  };
  return readPlanOn('2001-02-14T00:00:00Z') === readPlanOn('2019-09-23T00:00:00Z');
}
const isCertified = (liveLens: LiveLens, question: string): boolean =>
  [...liveLens.certified.values()].some((entry) =>
    [entry.question, ...entry.alsoAsked].some(
      (phrase) => findMeaningDifferences(liveLens.lens, phrase, question).length === 0,
    ),
  );

const listReviewedQuestions = (db: TenantClient, lens: string) =>
  db.rows<{ question: string; correction: string | null; confirmed: boolean }>(
    `select t.question, case when r.status = 'accepted' then r.correction ->> 'sql' end as correction, r.status = 'rejected' and t.confidence = 'verified' as confirmed
     from svc.reviews r join svc.traces t on t.org_id = r.org_id and t.request_id = r.request_id
     where r.lens = $1 and r.status in ('accepted', 'rejected') and t.question is not null
       and (r.status = 'rejected' or r.correction ? 'sql') order by r.updated_at desc limit ${MAX_CANDIDATES}`,
    [lens],
  );

async function saveCandidate(
  db: TenantClient,
  lensId: string,
  { question, variants, sql, evidence }: CandidateDraft,
): Promise<void> {
  await db.run(
    `insert into svc.distill_candidates as c (org_id, id, lens_id, meaning, question, variants, sql, evidence) values ($1,$2,$3,$4,$5,$6,$7,$8)
     on conflict (org_id, lens_id, meaning) do update set variants = excluded.variants, sql = excluded.sql, evidence = excluded.evidence, updated_at = now()
     where c.status = 'open'`,
    [
      ...[db.orgId, createId(), lensId, normalizeQuestion(question) || question],
      ...[question, variants, sql, JSON.stringify(evidence)],
    ],
  );
}

const SELECT_CANDIDATES = `select ${addCamelCaseAliases('id, question, variants, sql, evidence, status, cert_id, decided_by, created_at, updated_at')} from svc.distill_candidates`;

export const listCandidates = withOwnTransaction(
  (db, { lensId }: LiveLens, { status }: { status?: string | undefined }, page: RowPage) =>
    db.rows<Candidate>(
      `${SELECT_CANDIDATES} where lens_id = $1 and ($2::text is null or status = $2) and ($3::uuid is null or id > $3) order by id limit $4`,
      [lensId, status, page.after, page.limit],
    ),
);

export async function acceptCandidate(
  deps: EntryDeps,
  actor: Actor,
  target: LensTarget,
  id: string,
  { cert_id: requestedId, approve }: { cert_id?: string | undefined; approve: boolean },
): Promise<{ candidate: Candidate; entry: StoredEntry }> {
  const candidate = await getOpenCandidate(deps, actor.orgId, target.liveLens, id);
  const { question, variants: alsoAsked, sql } = candidate;
  const text = { question, alsoAsked, sql, parameters: {}, notes: null, invariants: null };
  const draft = await createCertifiedEntry(deps, actor, target, { ...text, certId: requestedId });
  const { certId } = draft;
  const entry = approve
    ? await approveCertifiedEntry(deps, actor, target, { id: certId, ifMatch: null }, actor.name)
    : draft;
  const decision = { status: 'accepted' as const, certId, decidedBy: actor.name };
  return { candidate: await saveDecision(deps, actor, candidate, decision, { cert_id: certId }), entry };
}

export async function dismissCandidate(
  deps: { tenancy: Tenancy },
  actor: Actor,
  liveLens: LiveLens,
  id: string,
  note: string | null,
): Promise<Candidate> {
  const candidate = await getOpenCandidate(deps, actor.orgId, liveLens, id);
  const decision = { status: 'dismissed' as const, certId: null, decidedBy: actor.name };
  return saveDecision(deps, actor, candidate, decision, { note });
}

const getOpenCandidate = withOwnTransaction(async (db, { lensId, name }: LiveLens, id: string) => {
  const sql = `${SELECT_CANDIDATES} where lens_id = $1 and id = $2`;
  const candidate = requireFound(
    isId(id) ? await db.first<Candidate>(sql, [lensId, id]) : null,
    `Lens ${name} has no candidate with this id. GET /mgmt/lenses/${name}/distill/candidates lists the candidates.`,
    'id',
  );
  if (candidate.status !== 'open') throw new Problem('conflict', `This candidate is already ${candidate.status}.`);
  return candidate;
});

function saveDecision(
  deps: { tenancy: Tenancy },
  actor: Actor,
  candidate: Candidate,
  decision: Pick<Candidate, 'status' | 'certId' | 'decidedBy'>,
  after: object,
): Promise<Candidate> {
  return runAudited(deps, actor, async (db) => {
    await db.run(
      'update svc.distill_candidates set status = $2, cert_id = $3, decided_by = $4, updated_at = now() where id = $1',
      [candidate.id, decision.status, decision.certId, decision.decidedBy],
    );
    const action = decision.status === 'accepted' ? 'distill.accept' : 'distill.dismiss';
    const result = { ...candidate, ...decision };
    return { result, action, objectKind: 'distill_candidate', objectId: candidate.id, after };
  });
}
