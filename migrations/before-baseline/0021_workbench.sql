-- What the control plane keeps beside what is served: drafts, sample queries, and the last look at a warehouse.
create table svc.lens_drafts (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens text not null,
  base_version int,
  files jsonb not null,
  status text not null default 'open' check (status in ('open', 'published')),
  published_version int,
  message text,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  revision int not null default 1,
  primary key (org_id, id)
);
create index lens_drafts_lens on svc.lens_drafts (org_id, lens, created_at desc);
call svc.protect('svc.lens_drafts');

create table svc.sample_queries (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens text not null,
  question text not null,
  note text,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, lens, question)
);
call svc.protect('svc.sample_queries');

-- Catalogs, profiles, drift reports: the newest of each kind for each subject (`connection:<id>`, `lens:<name>`).
create table svc.snapshots (
  org_id uuid not null references svc.organizations,
  subject text not null,
  kind text not null,
  body jsonb not null,
  taken_at timestamptz not null default now(),
  primary key (org_id, subject, kind)
);
call svc.protect('svc.snapshots');
