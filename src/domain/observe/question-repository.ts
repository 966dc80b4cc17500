import type { TenantClient } from '../../platform/tenancy/tenant.ts';

export interface RecentQuestion {
  question: string;
  lens: string | null;
  status: string;
  confidence: string;
  outcome: string;
  asks: number;
  callers: number;
  lastAt: Date;
  requestId: string;
  failing: string[];
}
const MAX_GROUPED_REQUESTS = 10_000;

/**
 * Returns one row for each wording, lens and outcome among the newest requests. Leaves out a request without an answer if
 * the caller got an answer to the same question within a minute, for example as a follow-up or after a choice.
 */
export const listRecentQuestions = (
  db: TenantClient,
  filter: { lens?: string; answered: boolean },
): Promise<RecentQuestion[]> =>
  db.rows<RecentQuestion>(
    `with sample as materialized (select question, lens, status, confidence, outcome, caller, surface, at, request_id, certification, plan, envelope
       from svc.traces where org_id = $1 and ($2::text is null or lens = $2) order by at desc, request_id desc limit ${MAX_GROUPED_REQUESTS}),
     followed as (select *, bool_or(status = 'answered') over (partition by caller, lower(question) order by at
       range between current row and interval '1 minute' following) as is_answered_soon from sample)
     select min(question) as question, lens, status, confidence, outcome, count(*)::int as asks, count(distinct caller)::int as callers,
       max(at) as "lastAt", (array_agg(request_id order by at desc))[1]::text as "requestId",
       coalesce((select array_agg(c ->> 'name') from jsonb_array_elements((array_agg(envelope -> 'checks' order by at desc))[1]) c
         where c ->> 'outcome' in ('fail', 'unknown')), '{}') as failing
     from followed s
     where (status = 'answered' or not is_answered_soon) and question is not null and envelope is not null and surface not in ('mgmt', 'view') and (s.plan is distinct from 'caller_sql')
       and ($3 = (status = 'answered' and confidence = 'verified'))
       and (not $3 or plan = 'compiled')
     group by lower(question), lens, status, confidence, outcome order by count(*) desc, min(question) limit 1000`,
    [db.orgId, filter.lens ?? null, filter.answered],
  );
