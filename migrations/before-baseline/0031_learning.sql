-- A ticket may be about a certified entry that took itself out of service, and not about a request.
alter table svc.reviews alter column request_id drop not null;
alter table svc.reviews add column subject jsonb;
alter table svc.reviews add constraint reviews_about check (request_id is not null or subject is not null);

-- Drafted fixes: from rulings, failed evals and gaps, or by hand.
create table svc.patches (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens text not null,
  kind text not null,
  change jsonb not null,
  reason text,
  review_id uuid,
  eval_id text,
  gap_id uuid,
  status text not null default 'draft' check (status in ('draft', 'approved', 'rejected')),
  preview jsonb,
  outcome jsonb,
  created_by text not null,
  decided_by text,
  decided_note text,
  decided_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, review_id) references svc.reviews (org_id, ticket_id)
);
create index patches_lens on svc.patches (org_id, lens, id);
create index patches_review on svc.patches (org_id, review_id);
call svc.protect('svc.patches');

create table svc.eval_runs (
  org_id uuid not null references svc.organizations,
  run_id uuid not null,
  lens_id uuid not null,
  lens_version int not null,
  summary jsonb not null,
  cases jsonb not null,
  actor text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, run_id),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id)
);
create index eval_runs_lens on svc.eval_runs (org_id, lens_id, run_id desc);
call svc.protect('svc.eval_runs', 'select, insert, delete');
