-- The authorization server. Clients register before any tenant is known, so they are global and hold nothing of a tenant;
-- what a person allowed a client to do is a grant, and that is a tenant's.
create table svc.oauth_clients (
  client_id text primary key,
  -- registered: by POST /oauth/register. document: a client ID metadata document, kept while its answer is fresh.
  kind text not null check (kind in ('registered', 'document')),
  metadata jsonb not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  fresh_until timestamptz
);
create index oauth_clients_unused on svc.oauth_clients (last_used_at);
grant select, insert, update, delete on svc.oauth_clients to svc_app;

-- One consent: its code (hash only, 60 s, one use) and everything the code is bound to.
create table svc.oauth_grants (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  client_id text not null,
  client_name text not null,
  caller_id uuid not null,
  user_id uuid,
  scope text not null,
  resource text not null,
  redirect_uri text not null,
  code_challenge text not null,
  code_hash bytea not null,
  code_expires_at timestamptz not null,
  code_used_at timestamptz,
  -- A consent form can be sent once: its ticket may make one grant only.
  ticket text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_because text,
  primary key (org_id, id),
  unique (org_id, ticket),
  unique (org_id, code_hash),
  foreign key (org_id, caller_id) references svc.callers (org_id, id) on delete cascade,
  foreign key (org_id, user_id) references svc.users (org_id, id) on delete cascade
);
create index oauth_grants_caller on svc.oauth_grants (org_id, caller_id);
call svc.protect('svc.oauth_grants');

create table svc.oauth_refresh_tokens (
  org_id uuid not null references svc.organizations,
  token_hash bytea not null,
  grant_id uuid not null,
  created_at timestamptz not null default now(),
  used_at timestamptz,
  primary key (org_id, token_hash),
  foreign key (org_id, grant_id) references svc.oauth_grants (org_id, id) on delete cascade
);
create index oauth_refresh_grant on svc.oauth_refresh_tokens (org_id, grant_id);
call svc.protect('svc.oauth_refresh_tokens');

-- Clients that an administrator removed from this organization: nobody can allow them again.
create table svc.oauth_blocked_clients (
  org_id uuid not null references svc.organizations,
  client_id text not null,
  blocked_by text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, client_id)
);
call svc.protect('svc.oauth_blocked_clients');
