// The steps of the setup checklist, each with its command.

import type { z } from 'zod';
import type * as wire from '../../contract/mgmt/cockpit.ts';
import { type Tenancy, withOwnTransaction } from '../../platform/tenancy/tenant.ts';

export type ActivationStep = z.infer<typeof wire.activationSchema>['items'][number];
interface SetupCounts {
  connections: number;
  lenses: number;
  keys: number;
  grants: number;
  asks: number;
  answered: number;
  certified: number;
  evals: number;
  runs: number;
  /** Names for the commands, or placeholders if the organization has no such names yet. */
  lens: string;
  question: string;
  caller: string;
}

export async function readActivation(
  deps: { tenancy: Tenancy },
  orgId: string,
  install: { signsReceipts: boolean; hasModel: boolean; hasPublicUrl: boolean; baseUrl: string },
): Promise<ActivationStep[]> {
  const counts = await readSetupCounts(deps, orgId);
  const { lens, question, caller } = counts;
  const writeCurl = (method: string, path: string, body: object) =>
    `curl -X ${method} ${install.baseUrl}/mgmt${path} -H "Authorization: Bearer $SVC_TOKEN" -H 'Content-Type: application/json' -d ${quoteForShell(JSON.stringify(body))}`;
  const steps = [
    createActivationStep(
      'connection',
      'Connect a warehouse',
      counts.connections > 0,
      formatCount(counts.connections, 'connection'),
      'npx svc introspect postgres://USER:PASSWORD@HOST/DATABASE --publish',
    ),
    createActivationStep(
      'lens',
      'Publish a lens',
      counts.lenses > 0,
      counts.lenses === 1 ? '1 published lens.' : `${counts.lenses} published lenses.`,
      'npx svc plan . && npx svc apply .',
    ),
    createActivationStep(
      'signing',
      'Sign receipts',
      install.signsReceipts,
      install.signsReceipts ? 'Receipts are signed.' : 'Without SVC_SECRET_KEY, receipts are not signed.',
      'SVC_SECRET_KEY=$(openssl rand -hex 32) npm start',
    ),
    createActivationStep(
      'key',
      'Create a key for a caller',
      counts.keys > 0,
      formatCount(counts.keys, 'active key'),
      `npx svc key create --caller ${caller} --lens ${lens}`,
    ),
    createActivationStep(
      'grant',
      'Grant a lens',
      counts.grants > 0,
      counts.grants > 0 ? 'Lenses are granted.' : 'No caller can use a lens yet.',
      writeCurl('PUT', `/callers/${encodeURIComponent(caller)}/grants`, { lenses: [lens] }),
    ),
    createActivationStep(
      'ask',
      'Ask a question',
      counts.asks > 0,
      counts.asks > 0 ? 'Questions have been asked.' : 'No questions have been asked yet.',
      `npx svc ask ${lens} ${quoteForShell(question)}`,
    ),
    createActivationStep(
      'answer',
      'Get an answer',
      counts.answered > 0,
      counts.answered > 0
        ? 'Questions have been answered.'
        : 'No question has been answered yet. See GET /mgmt/gap-map for the reasons.',
      `npx svc ask ${lens} ${quoteForShell(question)}`,
    ),
  ];
  const optionalSteps = [
    createActivationStep(
      'certified',
      'Certify frequent questions',
      counts.certified > 0,
      counts.certified === 0 ? 'There are no certified entries yet.' : `${counts.certified} certified entries.`,
      writeCurl('POST', `/lenses/${lens}/distill`, {}),
    ),
    createActivationStep(
      'evals',
      'Write evals and run them',
      counts.evals > 0 && counts.runs > 0,
      counts.evals === 0
        ? 'There are no eval cases yet.'
        : counts.runs === 0
          ? `Eval cases: ${counts.evals}, never run.`
          : formatCount(counts.evals, 'eval case'),
      counts.evals === 0
        ? writeCurl('POST', `/lenses/${lens}/evals`, { question, expect: { status: 'answered' } })
        : `npx svc eval ${lens}`,
    ),
    createActivationStep(
      'public',
      'Let agents connect from other machines',
      install.hasPublicUrl,
      install.hasPublicUrl
        ? 'SVC_PUBLIC_BASE_URL is set.'
        : 'SVC_PUBLIC_BASE_URL is unset, so /SKILL.md is not served.',
      'SVC_PUBLIC_BASE_URL=https://… npm start',
    ),
    createActivationStep(
      'model',
      'Connect a language model',
      install.hasModel,
      install.hasModel ? 'A model is configured.' : 'No model is configured. svc interprets questions without one.',
      'SVC_MODEL=… OPENAI_API_KEY=… npm start',
    ),
  ];
  return [
    ...steps.map((item) => ({ ...item, optional: false })),
    ...optionalSteps.map((item) => ({ ...item, optional: true })),
  ];
}

const createActivationStep = (id: string, title: string, isDone: boolean, detail: string, command: string) => ({
  id,
  title,
  done: isDone,
  detail,
  command,
});

const readSetupCounts = withOwnTransaction(
  async (db) =>
    (await db.first<SetupCounts>(
      `select (select count(*)::int from svc.connections where active) as connections,
         (select count(*)::int from svc.lenses where active_version is not null) as lenses,
         (select count(*)::int from svc.credentials where kind = 'caller_key' and revoked_at is null and (expires_at is null or expires_at > now())) as keys,
         (select count(*)::int from (select from svc.grants limit 1000) g) as grants,
         (select count(*)::int from (select from svc.traces where surface <> 'mgmt' limit 1) t) as asks,
         (select count(*)::int from (select from svc.traces where status = 'answered' and surface <> 'mgmt' limit 1) t) as answered,
         (select count(*)::int from svc.certified_entries where status = 'approved') as certified,
         (select count(*)::int from svc.evals) as evals, (select count(*)::int from (select from svc.eval_runs limit 1) r) as runs,
         coalesce(first.name, 'LENS') as lens, coalesce(first.compiled -> 'sampleQuestions' ->> 0, 'QUESTION') as question,
         coalesce((select name from svc.callers where disabled_at is null order by name limit 1), 'ada') as caller
       from (select 1) one left join (select l.name, v.compiled from svc.lenses l
         join svc.lens_versions v on v.org_id = l.org_id and v.lens_id = l.id and v.version = l.active_version order by l.name limit 1) first on true`,
    ))!,
);

// Quotes names for a shell command, because names in a lens can contain any character.
const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`;

const formatCount = (count: number, noun: string) =>
  count === 0 ? `There is no ${noun} yet.` : `${count} ${noun}${count === 1 ? '' : 's'}.`;
