// Verification compares the signature first, and then each member with the logged trace. It uses no model or warehouse.
import type { PresentedReceipt, ReceiptOrId, ReceiptVerification } from '../../contract/receipt.ts';
import { findRestrictions, isViewAtLeast } from '../../lens/policies/restrictions.ts';
import { Problem, requireFound } from '../../platform/problem.ts';
import type { Tenancy } from '../../platform/tenancy/tenant.ts';
import { fillQuestion } from '../certified/parameters.ts';
import { canAccessRequest, canUseLens, isSuperuser, type Principal, toCaller } from '../identity/principal.ts';
import type { LensRepository } from '../lenses/lens-repository.ts';
import type { StoredTrace, TraceRepository } from '../observe/trace-repository.ts';
import { computeSha256, toCanonicalJson } from './canonical-json.ts';
import type { SigningKeys } from './signing-keys.ts';

export interface VerifyDeps {
  lenses: Pick<LensRepository, 'find'>;
  traces: TraceRepository;
  tenancy: Tenancy;
  signingKeys: SigningKeys;
}

export async function verifyReceipt(
  deps: VerifyDeps,
  principal: Principal,
  presentedReceipt: PresentedReceipt,
): Promise<ReceiptVerification> {
  return (await verifyReceiptWithTrace(deps, principal, presentedReceipt)).verification;
}

export async function verifyReceiptWithTrace(
  deps: VerifyDeps,
  principal: Principal,
  presentedReceipt: PresentedReceipt,
): Promise<{ verification: ReceiptVerification; servedTrace: StoredTrace | null }> {
  const signature = await deps.signingKeys.checkReceipt(presentedReceipt);
  const trace = await deps.traces.find(principal.orgId, presentedReceipt.request_id);
  // Only a key of the same organization with access to the lens sees the question and the caller. SQL on a connection
  // has no lens, so only its author and admins see it.
  const visibleTrace = trace && canSeeQuestion(principal, trace) ? trace : null;
  const loggedReceipt = visibleTrace?.receipt ?? null;
  const isFound = loggedReceipt !== null;
  // Without a valid signature, only the original caller and admins see the question and the differing members.
  // Otherwise, a guessed hash would confirm another caller's answer.
  const disclosedTrace =
    isFound && (signature === 'valid' || canAccessTrace(principal, visibleTrace!)) ? visibleTrace : null;
  const servedTrace = disclosedTrace && (await canSeeContent(deps, principal, disclosedTrace)) ? disclosedTrace : null;
  const questionTrace =
    servedTrace ?? (visibleTrace && canAccessTrace(principal, visibleTrace) ? disclosedTrace : null);
  const mismatches =
    disclosedTrace && loggedReceipt
      ? findDifferingMembers(presentedReceipt, [{ ...loggedReceipt }, { ...loggedReceipt, ...disclosedTrace.columns }])
      : [];
  const verification = {
    ok: signature === 'valid' && isFound && mismatches.length === 0,
    signature,
    trace_found: isFound,
    mismatches,
    question: questionTrace && joinQuestions(questionTrace),
    context: questionTrace?.context ?? [],
    rows_returned:
      servedTrace && loggedReceipt ? (servedTrace.envelope.truncated?.returned ?? loggedReceipt.row_count) : null,
    served_sha256: servedTrace && hashServedParts(servedTrace.envelope),
    lens: isFound ? loggedReceipt.lens : null,
    caller: disclosedTrace?.caller ?? null,
    ruling: questionTrace ? await findRuling(deps.tenancy, principal.orgId, presentedReceipt.request_id) : null,
    withheld: disclosedTrace && !servedTrace ? WITHHELD_REASON : null,
  };
  return { verification, servedTrace };
}

/**
 * Finds the receipt that an ID names. Keeps the given digest, because the signature check decides whether it is valid.
 */
export async function findReceipt(
  deps: VerifyDeps,
  principal: Principal,
  given: ReceiptOrId,
): Promise<PresentedReceipt> {
  if (isFullReceipt(given)) return given;
  const trace = await deps.traces.find(principal.orgId, given.request_id);
  const receipt = trace && canSeeQuestion(principal, trace) ? trace.receipt : null;
  const withDefaults = { request_id: given.request_id, lens: null, served_at: '', ...receipt };
  return { ...withDefaults, digest: given.digest ?? undefined };
}

export const isFullReceipt = (receipt: ReceiptOrId): receipt is PresentedReceipt => 'served_at' in receipt;

/** An admin can get the trace of any request in the organization. */
export async function getAccessibleTrace(
  { traces }: { traces: TraceRepository },
  principal: Principal,
  requestId: string,
  param: string,
): Promise<StoredTrace> {
  const noSuchRequest = 'No request with this id was served. Use the request_id of an answer.';
  const trace = requireFound(await traces.find(principal.orgId, requestId), noSuchRequest, param);
  const message =
    'This request was served to another caller, or you have no access to its lens. Use the request_id of your own answer.';
  if (!canAccessTrace(principal, trace)) throw new Problem('forbidden', message, { param });
  return trace;
}

export const WITHHELD_REASON =
  'svc can’t confirm that you may see all data of the served answer. Ask the question again';

/**
 * Returns false if the reader may now see less than the caller to whom svc served the answer, or if svc can't know. If a
 * row policy applies to the reader, also returns false for another caller's answer, because its words can be values of
 * hidden rows.
 */
export async function canSeeContent(
  { lenses }: Pick<VerifyDeps, 'lenses'>,
  principal: Principal,
  trace: StoredTrace,
): Promise<boolean> {
  const { envelope, restrictions } = trace;
  if (isSuperuser(principal) || envelope.lens === null) return true;
  const liveLens = await lenses.find(principal.orgId, envelope.lens);
  if (!liveLens) return false;
  const current = findRestrictions(liveLens.lens, toCaller(principal));
  if (current.policies.length > 0 && !canAccessTrace(principal, trace)) return false;
  if (restrictions) return isViewAtLeast(current, restrictions);
  const hasSameMasks = current.masks === null || liveLens.version === envelope.lens_version;
  return current.policies.length === 0 && hasSameMasks;
}

/** The signature check covers the digest. The trace has some members twice: in the receipt and in its own columns. */
const findDifferingMembers = (
  presentedReceipt: Record<string, unknown>,
  loggedMembers: readonly Record<string, unknown>[],
): string[] =>
  [...new Set([...loggedMembers, presentedReceipt].flatMap((members) => Object.keys(members)))].filter(
    (name) => name !== 'digest' && loggedMembers.some((logged) => presentedReceipt[name] !== logged[name]),
  );

/** The receipt signs only rows and SQL, so svc logs hashes of the other parts. */
export const hashServedParts = (envelope: { [Name in ServedPart]?: unknown }) =>
  Object.fromEntries(SERVED_PARTS.map((name) => [name, computeSha256(toCanonicalJson(envelope[name] ?? null))]));
export const SERVED_PARTS = [
  ...(['status', 'answer', 'columns', 'scope', 'citations', 'checks', 'certified_id'] as const),
  ...(['warnings', 'truncated', 'empty', 'routing', 'answers'] as const),
];
type ServedPart = (typeof SERVED_PARTS)[number];

/** A follow-up such as "And in 2017?" needs the earlier questions. */
function joinQuestions({ envelope, context }: StoredTrace): string | null {
  if (envelope.question === null) return null;
  return [...context, fillQuestion(envelope.question, envelope.parameters ?? {})].join(' → ');
}

function canSeeQuestion(principal: Principal, trace: StoredTrace): boolean {
  const { lens } = trace.envelope;
  return lens === null ? canAccessTrace(principal, trace) : canUseLens(principal, lens);
}

const canAccessTrace = (principal: Principal, { callerId, envelope }: StoredTrace): boolean =>
  canAccessRequest(principal, { callerId, lens: envelope.lens });

function findRuling(tenancy: Tenancy, orgId: string, requestId: string): Promise<ReceiptVerification['ruling']> {
  return tenancy.inTenant(orgId, async (db) => {
    const row = await db.first<{ ruling: { ruling: string; note: string | null; ruled_at: string } }>(
      'select ruling from svc.reviews where request_id = $1 and ruling is not null order by updated_at desc limit 1',
      [requestId],
    );
    const ruling = row?.ruling;
    return ruling ? { ruling: ruling.ruling, note: ruling.note ?? null, ruled_at: ruling.ruled_at } : null;
  });
}
