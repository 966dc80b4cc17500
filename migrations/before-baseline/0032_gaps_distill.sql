-- Questions that nothing answers, by what was missing; a gap that was resolved comes back when it is met again.
create table svc.gaps (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  place text not null,
  lens text,
  kind text not null check (kind in ('unread', 'uncovered', 'low_confidence', 'failed')),
  missing text[] not null,
  questions jsonb not null,
  asks int not null,
  callers int not null,
  last_at timestamptz not null,
  suggestion jsonb not null,
  status text not null default 'open' check (status in ('open', 'resolved')),
  resolution jsonb,
  refreshed_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, place)
);
call svc.protect('svc.gaps');

-- Certified entries that were proposed from what was asked; a person takes or leaves them.
create table svc.distill_candidates (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens_id uuid not null,
  meaning text not null,
  question text not null,
  variants text[] not null,
  sql text not null,
  evidence jsonb not null,
  status text not null default 'open' check (status in ('open', 'accepted', 'dismissed')),
  cert_id text,
  decided_by text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, lens_id, meaning),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id)
);
call svc.protect('svc.distill_candidates');
