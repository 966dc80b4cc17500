-- One row for each ask, durable before its receipt leaves; and the reviews raised on them.
create table svc.traces (
  org_id uuid not null references svc.organizations,
  request_id uuid not null,
  at timestamptz not null default now(),
  caller_id uuid,
  caller text not null,
  surface text not null,
  client text,
  route text not null,
  lens text,
  lens_version int,
  question text,
  status text not null,
  outcome text not null,
  confidence text not null,
  certification text not null,
  certified_id text,
  plan text,
  sql text,
  sql_sha256 text,
  row_count int,
  cost numeric not null default 0,
  total_ms double precision not null,
  warehouse_ms double precision not null,
  -- The envelope without its rows, the receipt, and the drill-down's steps, checks, model calls and guard report.
  envelope jsonb not null,
  receipt jsonb,
  detail jsonb not null,
  primary key (org_id, request_id)
);
create index traces_at on svc.traces (org_id, at desc, request_id);
create index traces_caller on svc.traces (org_id, caller, at desc);
create index traces_lens on svc.traces (org_id, lens, at desc);
call svc.protect('svc.traces', 'select, insert, delete');

create table svc.reviews (
  org_id uuid not null references svc.organizations,
  ticket_id uuid not null,
  request_id uuid not null,
  lens text,
  status text not null default 'open' check (status in ('open', 'in_review', 'accepted', 'rejected', 'duplicate')),
  note text,
  correction jsonb,
  raised_by text not null,
  raised_by_caller uuid,
  claimed_by text,
  ruling jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, ticket_id),
  foreign key (org_id, request_id) references svc.traces (org_id, request_id)
);
create index reviews_queue on svc.reviews (org_id, status, created_at desc);
create index reviews_request on svc.reviews (org_id, request_id);
call svc.protect('svc.reviews');

create table svc.review_comments (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  ticket_id uuid not null,
  author text not null,
  body text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  foreign key (org_id, ticket_id) references svc.reviews (org_id, ticket_id) on delete cascade
);
call svc.protect('svc.review_comments', 'select, insert');

-- Long work: state, progress and result of 202 answers.
create table svc.runs (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  kind text not null,
  state text not null check (state in ('running', 'succeeded', 'failed', 'cancelled')),
  progress jsonb not null default '{}',
  result jsonb,
  error jsonb,
  actor text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index runs_recent on svc.runs (org_id, created_at desc);
call svc.protect('svc.runs');
