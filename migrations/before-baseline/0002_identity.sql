-- Who asks: callers and their credentials, users of the control plane, grants, the audit log.
create table svc.callers (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  name text not null,
  email text,
  groups text[] not null default '{}',
  attributes jsonb not null default '{}',
  kind text not null default 'api' check (kind in ('api', 'demo')),
  external_subject text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  disabled_at timestamptz,
  primary key (org_id, id),
  unique (org_id, name)
);
create unique index callers_external on svc.callers (org_id, external_subject) where external_subject is not null;
call svc.protect('svc.callers');

create table svc.users (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  email text not null,
  password_hash text not null,
  role text not null check (role in ('admin', 'viewer')),
  caller_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  disabled_at timestamptz,
  primary key (org_id, id),
  unique (org_id, email),
  foreign key (org_id, caller_id) references svc.callers (org_id, id)
);
call svc.protect('svc.users');
-- Sign-in knows an e-mail before it knows a tenant: only rows of the e-mail that is being presented are visible.
create policy presented on svc.users for select
  using (email = nullif(current_setting('svc.presented_email', true), ''));
create index users_email on svc.users (email);

-- Every bearer: caller keys, admin tokens, OAuth access tokens, sessions. Only hashes are kept.
create table svc.credentials (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  kind text not null check (kind in ('caller_key', 'admin_token', 'oauth', 'session')),
  caller_id uuid,
  user_id uuid,
  token_hash bytea not null,
  prefix text not null,
  last_four text not null,
  label text,
  created_by text,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  idle_expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  oauth_grant_id uuid,
  primary key (org_id, id),
  unique (org_id, token_hash),
  foreign key (org_id, caller_id) references svc.callers (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references svc.users (org_id, id) on delete cascade
);
create index credentials_hash on svc.credentials (token_hash);
create index credentials_caller on svc.credentials (org_id, caller_id);
call svc.protect('svc.credentials');
-- Authentication knows a token before it knows a tenant: whoever presents the hash sees that row, and no other.
create policy presented on svc.credentials for select
  using (token_hash = decode(nullif(current_setting('svc.presented_hash', true), ''), 'hex'));

-- Who may use which lens. `origin` says who may edit the row; the effective grants are the union.
create table svc.grants (
  org_id uuid not null references svc.organizations,
  lens text not null,
  subject_kind text not null check (subject_kind in ('caller', 'group')),
  subject text not null,
  origin text not null check (origin in ('lens_file', 'group_file', 'demo', 'lens_api', 'caller_api')),
  primary key (org_id, lens, subject_kind, subject, origin)
);
create index grants_subject on svc.grants (org_id, subject_kind, subject);
call svc.protect('svc.grants');

create table svc.audit_log (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  at timestamptz not null default now(),
  actor text not null,
  action text not null,
  object_kind text not null,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text,
  primary key (org_id, id)
);
create index audit_at on svc.audit_log (org_id, at desc, id);
call svc.protect('svc.audit_log', 'select, insert');

-- Answers to requests that carried an Idempotency-Key, kept for a day (SECURITY F18).
create table svc.idempotency_keys (
  org_id uuid not null references svc.organizations,
  actor text not null,
  key text not null,
  fingerprint text not null,
  status int,
  response jsonb,
  created_at timestamptz not null default now(),
  primary key (org_id, actor, key)
);
call svc.protect('svc.idempotency_keys');
