-- The whole control database, as the migrations leave it. Written by `npm run db:check -- -u`; do not edit.
-- To change the schema, add a migration.
set check_function_bodies = off;
do $$ begin
  create role svc_app nologin nosuperuser nobypassrls;
exception when duplicate_object or unique_violation then null; end $$;
revoke all on schema public from public;
create schema svc;

grant usage on schema public to svc_app;

grant usage on schema svc to svc_app;

CREATE OR REPLACE FUNCTION svc.current_org()
 RETURNS uuid
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$ select case when current_setting('svc.org_id', true) like '________-____-____-____-____________'
    and translate(current_setting('svc.org_id', true), '0123456789abcdef', '') = '----'
  then current_setting('svc.org_id', true)::uuid end $function$;

CREATE OR REPLACE PROCEDURE svc.protect(IN tenant_table regclass, IN privileges text DEFAULT 'select, insert, update, delete'::text)
 LANGUAGE plpgsql
AS $procedure$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy tenant on %s using (org_id = (select svc.current_org())) with check (org_id = (select svc.current_org()))', tenant_table);
  execute format('grant %s on %s to svc_app', privileges, tenant_table);
end $procedure$;

CREATE OR REPLACE FUNCTION svc.tally_traces()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into svc.trace_tallies
  select org_id, date_trunc('hour', at, 'UTC'), coalesce(lens, ''), caller, surface, status, confidence, certification,
    1, cost, total_ms, at
  from made where surface <> 'mgmt';
  return null;
end $function$;

CREATE OR REPLACE FUNCTION svc.touch_lenses()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct org_id, lens_id from changed) c where l.org_id = c.org_id and l.id = c.lens_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION svc.touch_lenses_of_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (
      select distinct n.org_id, n.lens_id from changed n join before b on b.org_id = n.org_id and b.id = n.id
      where (n.lens_id, n.cert_id, n.question, n.also_asked, n.sql, n.parameters, n.approved_by, n.approved_at, n.status, n.notes, n.invariants)
        is distinct from (b.lens_id, b.cert_id, b.question, b.also_asked, b.sql, b.parameters, b.approved_by, b.approved_at, b.status, b.notes, b.invariants)
    ) c where l.org_id = c.org_id and l.id = c.lens_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION svc.touch_lenses_of_moved_values()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct c.org_id, c.lens_id
            from changed c join earlier e using (org_id, lens_id, dataset, field)
           where c."values" is distinct from e."values" or c.complete is distinct from e.complete) m
   where l.org_id = m.org_id and l.id = m.lens_id;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION svc.touch_lenses_of_samples()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct org_id, lens from changed) c where l.org_id = c.org_id and l.name = c.lens;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION svc.touch_lenses_of_terms()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    where l.active_version is not null
      and l.org_id in (select org_id from changed where kind = 'definition');
  return null;
end $function$;

create table svc_migrations (
  id text not null,
  applied_at timestamp with time zone default now() not null,
  constraint svc_migrations_pkey PRIMARY KEY (id)
);
grant select on svc_migrations to svc_app;

create table svc.organizations (
  id uuid not null,
  name text not null,
  created_at timestamp with time zone default now() not null,
  constraint organizations_pkey PRIMARY KEY (id),
  constraint organizations_name_key UNIQUE (name),
  constraint organizations_name_check CHECK ((name ~ '^[a-z][a-z0-9_-]{0,62}$'::text))
);
grant select on svc.organizations to svc_app;

create table svc.callers (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  email text,
  groups text[] default '{}'::text[] not null,
  attributes jsonb default '{}'::jsonb not null,
  kind text default 'api'::text not null,
  external_subject text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  constraint callers_pkey PRIMARY KEY (org_id, id),
  constraint callers_org_id_name_key UNIQUE (org_id, name),
  constraint callers_kind_check CHECK ((kind = ANY (ARRAY['api'::text, 'demo'::text]))),
  constraint callers_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE UNIQUE INDEX callers_external ON svc.callers USING btree (org_id, external_subject) WHERE (external_subject IS NOT NULL);
alter table svc.callers enable row level security;
alter table svc.callers force row level security;
create policy tenant on svc.callers as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.callers to svc_app;

create table svc.users (
  org_id uuid not null,
  id uuid not null,
  email text not null,
  password_hash text not null,
  role text not null,
  caller_id uuid,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  disabled_at timestamp with time zone,
  identity_issuer text,
  identity_subject text,
  signed_in_at timestamp with time zone,
  constraint users_pkey PRIMARY KEY (org_id, id),
  constraint users_org_id_email_key UNIQUE (org_id, email),
  constraint users_identity_whole CHECK (((identity_issuer IS NULL) = (identity_subject IS NULL))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'curator'::text, 'viewer'::text]))),
  constraint users_org_id_caller_id_fkey FOREIGN KEY (org_id, caller_id) REFERENCES svc.callers(org_id, id),
  constraint users_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX users_by_identity ON svc.users USING btree (identity_issuer, identity_subject) WHERE (identity_subject IS NOT NULL);
CREATE INDEX users_email ON svc.users USING btree (email);
CREATE UNIQUE INDEX users_identity ON svc.users USING btree (org_id, identity_issuer, identity_subject) WHERE (identity_subject IS NOT NULL);
alter table svc.users enable row level security;
alter table svc.users force row level security;
create policy presented on svc.users as permissive for select to public using ((email = NULLIF(current_setting('svc.presented_email'::text, true), ''::text)));
create policy presented_identity on svc.users as permissive for select to public using (((identity_issuer = NULLIF(current_setting('svc.presented_issuer'::text, true), ''::text)) AND (identity_subject = NULLIF(current_setting('svc.presented_subject'::text, true), ''::text))));
create policy tenant on svc.users as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.users to svc_app;

create table svc.credentials (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  caller_id uuid,
  user_id uuid,
  token_hash bytea not null,
  prefix text not null,
  last_four text not null,
  label text,
  created_by text,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone,
  idle_expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  last_used_at timestamp with time zone,
  oauth_grant_id uuid,
  constraint credentials_pkey PRIMARY KEY (org_id, id),
  constraint credentials_org_id_token_hash_key UNIQUE (org_id, token_hash),
  constraint credentials_kind_check CHECK ((kind = ANY (ARRAY['caller_key'::text, 'admin_token'::text, 'oauth'::text, 'session'::text]))),
  constraint credentials_org_id_caller_id_fkey FOREIGN KEY (org_id, caller_id) REFERENCES svc.callers(org_id, id) ON DELETE CASCADE,
  constraint credentials_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint credentials_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES svc.users(org_id, id) ON DELETE CASCADE
);
CREATE INDEX credentials_caller ON svc.credentials USING btree (org_id, caller_id);
CREATE INDEX credentials_hash ON svc.credentials USING btree (token_hash);
CREATE UNIQUE INDEX credentials_one_demo_key ON svc.credentials USING btree (org_id, caller_id) WHERE ((kind = 'caller_key'::text) AND (created_by = 'svc:demo'::text) AND (revoked_at IS NULL));
alter table svc.credentials enable row level security;
alter table svc.credentials force row level security;
create policy presented on svc.credentials as permissive for select to public using ((token_hash = decode(NULLIF(current_setting('svc.presented_hash'::text, true), ''::text), 'hex'::text)));
create policy tenant on svc.credentials as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.credentials to svc_app;

create table svc.grants (
  org_id uuid not null,
  lens text not null,
  subject_kind text not null,
  subject text not null,
  origin text not null,
  constraint grants_pkey PRIMARY KEY (org_id, lens, subject_kind, subject, origin),
  constraint grants_origin_check CHECK ((origin = ANY (ARRAY['lens_file'::text, 'group_file'::text, 'demo'::text, 'lens_api'::text, 'caller_api'::text]))),
  constraint grants_subject_kind_check CHECK ((subject_kind = ANY (ARRAY['caller'::text, 'group'::text]))),
  constraint grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX grants_subject ON svc.grants USING btree (org_id, subject_kind, subject);
alter table svc.grants enable row level security;
alter table svc.grants force row level security;
create policy tenant on svc.grants as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.grants to svc_app;

create table svc.audit_log (
  org_id uuid not null,
  id uuid not null,
  at timestamp with time zone default now() not null,
  actor text not null,
  action text not null,
  object_kind text not null,
  object_id text,
  before jsonb,
  after jsonb,
  request_id text,
  constraint audit_log_pkey PRIMARY KEY (org_id, id),
  constraint audit_log_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX audit_at ON svc.audit_log USING btree (org_id, at DESC, id);
alter table svc.audit_log enable row level security;
alter table svc.audit_log force row level security;
create policy tenant on svc.audit_log as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant insert, select on svc.audit_log to svc_app;

create table svc.idempotency_keys (
  org_id uuid not null,
  actor text not null,
  key text not null,
  fingerprint text not null,
  status integer,
  response jsonb,
  created_at timestamp with time zone default now() not null,
  constraint idempotency_keys_pkey PRIMARY KEY (org_id, actor, key),
  constraint idempotency_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.idempotency_keys enable row level security;
alter table svc.idempotency_keys force row level security;
create policy tenant on svc.idempotency_keys as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.idempotency_keys to svc_app;

create table svc.deployments (
  org_id uuid not null,
  id uuid not null,
  version integer not null,
  content_sha256 text not null,
  files jsonb not null,
  changes jsonb not null,
  message text,
  actor text not null,
  applied_at timestamp with time zone default now() not null,
  rolled_back_to integer,
  edits jsonb default '{}'::jsonb not null,
  constraint deployments_pkey PRIMARY KEY (org_id, id),
  constraint deployments_org_id_version_key UNIQUE (org_id, version),
  constraint deployments_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.deployments enable row level security;
alter table svc.deployments force row level security;
create policy tenant on svc.deployments as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant insert, select on svc.deployments to svc_app;
grant update (edits) on svc.deployments to svc_app;

create table svc.connections (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  kind text not null,
  config jsonb not null,
  origin text not null,
  active boolean default true not null,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  from_operator boolean default false not null,
  constraint connections_pkey PRIMARY KEY (org_id, id),
  constraint connections_org_id_name_key UNIQUE (org_id, name),
  constraint connections_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.connections enable row level security;
alter table svc.connections force row level security;
create policy tenant on svc.connections as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.connections to svc_app;

create table svc.lenses (
  org_id uuid not null,
  id uuid not null,
  name text not null,
  origin text not null,
  active_version integer,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  source_sha256 text,
  constraint lenses_pkey PRIMARY KEY (org_id, id),
  constraint lenses_org_id_name_key UNIQUE (org_id, name),
  constraint lenses_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint lenses_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.lenses enable row level security;
alter table svc.lenses force row level security;
create policy tenant on svc.lenses as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.lenses to svc_app;

create table svc.lens_versions (
  org_id uuid not null,
  lens_id uuid not null,
  version integer not null,
  content_sha256 text not null,
  files jsonb not null,
  compiled jsonb not null,
  deployment_id uuid,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint lens_versions_pkey PRIMARY KEY (org_id, lens_id, version),
  constraint lens_versions_org_id_deployment_id_fkey FOREIGN KEY (org_id, deployment_id) REFERENCES svc.deployments(org_id, id),
  constraint lens_versions_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint lens_versions_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
CREATE INDEX lens_versions_deployment ON svc.lens_versions USING btree (org_id, deployment_id);
alter table svc.lens_versions enable row level security;
alter table svc.lens_versions force row level security;
create policy tenant on svc.lens_versions as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant insert, select on svc.lens_versions to svc_app;

create table svc.certified_entries (
  org_id uuid not null,
  id uuid not null,
  lens_id uuid not null,
  cert_id text not null,
  question text not null,
  also_asked text[] default '{}'::text[] not null,
  sql text not null,
  parameters jsonb default '{}'::jsonb not null,
  approved_by text,
  approved_at text,
  status text not null,
  status_reason text,
  notes text,
  origin text not null,
  path text,
  dependencies jsonb,
  invariants jsonb,
  last_check jsonb,
  revision integer default 1 not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  suspended_for text,
  suspended_at timestamp with time zone,
  constraint certified_entries_pkey PRIMARY KEY (org_id, id),
  constraint certified_entries_org_id_lens_id_cert_id_key UNIQUE (org_id, lens_id, cert_id),
  constraint certified_entries_cert_id_check CHECK ((cert_id ~ '^[a-z0-9][a-z0-9_-]{0,100}$'::text)),
  constraint certified_entries_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint certified_entries_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'suspended'::text, 'retired'::text]))),
  constraint certified_entries_suspended_for_check CHECK ((suspended_for = ANY (ARRAY['schema'::text, 'meaning'::text, 'result'::text]))),
  constraint certified_entries_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint certified_entries_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
CREATE INDEX certified_by_lens ON svc.certified_entries USING btree (org_id, lens_id, status, cert_id);
alter table svc.certified_entries enable row level security;
alter table svc.certified_entries force row level security;
create policy tenant on svc.certified_entries as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.certified_entries to svc_app;

create table svc.evals (
  org_id uuid not null,
  id uuid not null,
  lens_id uuid not null,
  eval_id text not null,
  question text not null,
  expect jsonb not null,
  paraphrases text[] default '{}'::text[] not null,
  origin text not null,
  path text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  choices jsonb,
  constraint evals_pkey PRIMARY KEY (org_id, id),
  constraint evals_org_id_lens_id_eval_id_key UNIQUE (org_id, lens_id, eval_id),
  constraint evals_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint evals_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint evals_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
alter table svc.evals enable row level security;
alter table svc.evals force row level security;
create policy tenant on svc.evals as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.evals to svc_app;

create table svc.semantic_objects (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  name text not null,
  body jsonb not null,
  origin text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint semantic_objects_pkey PRIMARY KEY (org_id, id),
  constraint semantic_objects_org_id_kind_name_key UNIQUE (org_id, kind, name),
  constraint semantic_objects_kind_check CHECK ((kind = ANY (ARRAY['entity'::text, 'definition'::text]))),
  constraint semantic_objects_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint semantic_objects_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.semantic_objects enable row level security;
alter table svc.semantic_objects force row level security;
create policy tenant on svc.semantic_objects as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.semantic_objects to svc_app;

create table svc.value_dictionaries (
  org_id uuid not null,
  lens_id uuid not null,
  dataset text not null,
  field text not null,
  "values" text[] not null,
  complete boolean not null,
  refreshed_at timestamp with time zone default now() not null,
  constraint value_dictionaries_pkey PRIMARY KEY (org_id, lens_id, dataset, field),
  constraint value_dictionaries_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint value_dictionaries_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
alter table svc.value_dictionaries enable row level security;
alter table svc.value_dictionaries force row level security;
create policy tenant on svc.value_dictionaries as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.value_dictionaries to svc_app;

create table svc.settings (
  org_id uuid not null,
  name text not null,
  body jsonb not null,
  updated_at timestamp with time zone default now() not null,
  origin text default 'api'::text not null,
  constraint settings_pkey PRIMARY KEY (org_id, name),
  constraint settings_origin_check CHECK ((origin = ANY (ARRAY['file'::text, 'api'::text]))),
  constraint settings_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.settings enable row level security;
alter table svc.settings force row level security;
create policy tenant on svc.settings as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.settings to svc_app;

create table svc.traces (
  org_id uuid not null,
  request_id uuid not null,
  at timestamp with time zone default now() not null,
  caller_id uuid,
  caller text not null,
  surface text not null,
  client text,
  route text not null,
  lens text,
  lens_version integer,
  question text,
  status text not null,
  outcome text not null,
  confidence text not null,
  certification text not null,
  certified_id text,
  plan text,
  sql text,
  sql_sha256 text,
  row_count integer,
  cost numeric default 0 not null,
  total_ms double precision not null,
  warehouse_ms double precision not null,
  envelope jsonb not null,
  receipt jsonb,
  detail jsonb not null,
  constraint traces_pkey PRIMARY KEY (org_id, request_id),
  constraint traces_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX traces_caller ON svc.traces USING btree (org_id, caller, at DESC);
CREATE INDEX traces_certification ON svc.traces USING btree (org_id, certification, at DESC, request_id DESC);
CREATE INDEX traces_confidence ON svc.traces USING btree (org_id, confidence, at DESC, request_id DESC);
CREATE INDEX traces_lens ON svc.traces USING btree (org_id, lens, at DESC);
CREATE INDEX traces_page ON svc.traces USING btree (org_id, at DESC, request_id DESC);
CREATE INDEX traces_status ON svc.traces USING btree (org_id, status, at DESC, request_id DESC);
alter table svc.traces enable row level security;
alter table svc.traces force row level security;
create policy tenant on svc.traces as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select on svc.traces to svc_app;

create table svc.reviews (
  org_id uuid not null,
  ticket_id uuid not null,
  request_id uuid,
  lens text,
  status text default 'open'::text not null,
  note text,
  correction jsonb,
  raised_by text not null,
  raised_by_caller uuid,
  claimed_by text,
  ruling jsonb,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  subject jsonb,
  constraint reviews_pkey PRIMARY KEY (org_id, ticket_id),
  constraint reviews_about CHECK (((request_id IS NOT NULL) OR (subject IS NOT NULL))),
  constraint reviews_status_check CHECK ((status = ANY (ARRAY['open'::text, 'in_review'::text, 'accepted'::text, 'rejected'::text, 'duplicate'::text]))),
  constraint reviews_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint reviews_org_id_request_id_fkey FOREIGN KEY (org_id, request_id) REFERENCES svc.traces(org_id, request_id)
);
CREATE INDEX reviews_queue ON svc.reviews USING btree (org_id, status, created_at DESC);
CREATE INDEX reviews_request ON svc.reviews USING btree (org_id, request_id);
alter table svc.reviews enable row level security;
alter table svc.reviews force row level security;
create policy tenant on svc.reviews as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.reviews to svc_app;

create table svc.review_comments (
  org_id uuid not null,
  id uuid not null,
  ticket_id uuid not null,
  author text not null,
  body text not null,
  created_at timestamp with time zone default now() not null,
  constraint review_comments_pkey PRIMARY KEY (org_id, id),
  constraint review_comments_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint review_comments_org_id_ticket_id_fkey FOREIGN KEY (org_id, ticket_id) REFERENCES svc.reviews(org_id, ticket_id) ON DELETE CASCADE
);
alter table svc.review_comments enable row level security;
alter table svc.review_comments force row level security;
create policy tenant on svc.review_comments as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant insert, select on svc.review_comments to svc_app;

create table svc.runs (
  org_id uuid not null,
  id uuid not null,
  kind text not null,
  state text not null,
  progress jsonb default '{}'::jsonb not null,
  result jsonb,
  error jsonb,
  actor text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint runs_pkey PRIMARY KEY (org_id, id),
  constraint runs_state_check CHECK ((state = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
  constraint runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX runs_recent ON svc.runs USING btree (org_id, created_at DESC);
CREATE INDEX runs_running ON svc.runs USING btree (org_id, updated_at) WHERE (state = 'running'::text);
alter table svc.runs enable row level security;
alter table svc.runs force row level security;
create policy tenant on svc.runs as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.runs to svc_app;

create unlogged table svc.rate_shares (
  bucket text not null,
  window_start bigint not null,
  taken integer not null,
  constraint rate_shares_pkey PRIMARY KEY (bucket, window_start)
);
CREATE INDEX rate_shares_old ON svc.rate_shares USING btree (window_start);
grant delete, insert, select, update on svc.rate_shares to svc_app;

create table svc.oauth_clients (
  client_id text not null,
  kind text not null,
  metadata jsonb not null,
  created_at timestamp with time zone default now() not null,
  last_used_at timestamp with time zone default now() not null,
  fresh_until timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (client_id),
  constraint oauth_clients_kind_check CHECK ((kind = ANY (ARRAY['registered'::text, 'document'::text])))
);
CREATE INDEX oauth_clients_unused ON svc.oauth_clients USING btree (last_used_at);
grant delete, insert, select, update on svc.oauth_clients to svc_app;

create table svc.oauth_grants (
  org_id uuid not null,
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
  code_expires_at timestamp with time zone not null,
  code_used_at timestamp with time zone,
  ticket text not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_because text,
  constraint oauth_grants_pkey PRIMARY KEY (org_id, id),
  constraint oauth_grants_org_id_code_hash_key UNIQUE (org_id, code_hash),
  constraint oauth_grants_org_id_ticket_key UNIQUE (org_id, ticket),
  constraint oauth_grants_org_id_caller_id_fkey FOREIGN KEY (org_id, caller_id) REFERENCES svc.callers(org_id, id) ON DELETE CASCADE,
  constraint oauth_grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint oauth_grants_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES svc.users(org_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_grants_caller ON svc.oauth_grants USING btree (org_id, caller_id);
alter table svc.oauth_grants enable row level security;
alter table svc.oauth_grants force row level security;
create policy tenant on svc.oauth_grants as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.oauth_grants to svc_app;

create table svc.oauth_refresh_tokens (
  org_id uuid not null,
  token_hash bytea not null,
  grant_id uuid not null,
  created_at timestamp with time zone default now() not null,
  used_at timestamp with time zone,
  constraint oauth_refresh_tokens_pkey PRIMARY KEY (org_id, token_hash),
  constraint oauth_refresh_tokens_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint oauth_refresh_tokens_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES svc.oauth_grants(org_id, id) ON DELETE CASCADE
);
CREATE INDEX oauth_refresh_grant ON svc.oauth_refresh_tokens USING btree (org_id, grant_id);
alter table svc.oauth_refresh_tokens enable row level security;
alter table svc.oauth_refresh_tokens force row level security;
create policy tenant on svc.oauth_refresh_tokens as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.oauth_refresh_tokens to svc_app;

create table svc.oauth_blocked_clients (
  org_id uuid not null,
  client_id text not null,
  blocked_by text not null,
  created_at timestamp with time zone default now() not null,
  constraint oauth_blocked_clients_pkey PRIMARY KEY (org_id, client_id),
  constraint oauth_blocked_clients_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.oauth_blocked_clients enable row level security;
alter table svc.oauth_blocked_clients force row level security;
create policy tenant on svc.oauth_blocked_clients as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.oauth_blocked_clients to svc_app;

create table svc.attempts (
  bucket text not null,
  window_start timestamp with time zone not null,
  taken integer not null,
  constraint attempts_pkey PRIMARY KEY (bucket, window_start)
);
CREATE INDEX attempts_old ON svc.attempts USING btree (window_start);
grant delete, insert, select, update on svc.attempts to svc_app;

create table svc.lens_drafts (
  org_id uuid not null,
  id uuid not null,
  lens text not null,
  base_version integer,
  files jsonb not null,
  status text default 'open'::text not null,
  published_version integer,
  message text,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  revision integer default 1 not null,
  constraint lens_drafts_pkey PRIMARY KEY (org_id, id),
  constraint lens_drafts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'published'::text]))),
  constraint lens_drafts_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX lens_drafts_lens ON svc.lens_drafts USING btree (org_id, lens, created_at DESC);
alter table svc.lens_drafts enable row level security;
alter table svc.lens_drafts force row level security;
create policy tenant on svc.lens_drafts as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.lens_drafts to svc_app;

create table svc.sample_queries (
  org_id uuid not null,
  id uuid not null,
  lens text not null,
  question text not null,
  note text,
  created_by text not null,
  created_at timestamp with time zone default now() not null,
  tried_at timestamp with time zone,
  constraint sample_queries_pkey PRIMARY KEY (org_id, id),
  constraint sample_queries_org_id_lens_question_key UNIQUE (org_id, lens, question),
  constraint sample_queries_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.sample_queries enable row level security;
alter table svc.sample_queries force row level security;
create policy tenant on svc.sample_queries as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.sample_queries to svc_app;

create table svc.snapshots (
  org_id uuid not null,
  subject text not null,
  kind text not null,
  body jsonb not null,
  taken_at timestamp with time zone default now() not null,
  constraint snapshots_pkey PRIMARY KEY (org_id, subject, kind),
  constraint snapshots_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.snapshots enable row level security;
alter table svc.snapshots force row level security;
create policy tenant on svc.snapshots as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.snapshots to svc_app;

create table svc.patches (
  org_id uuid not null,
  id uuid not null,
  lens text not null,
  kind text not null,
  change jsonb not null,
  reason text,
  review_id uuid,
  eval_id text,
  gap_id uuid,
  status text default 'draft'::text not null,
  preview jsonb,
  outcome jsonb,
  created_by text not null,
  decided_by text,
  decided_note text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint patches_pkey PRIMARY KEY (org_id, id),
  constraint patches_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'approved'::text, 'rejected'::text]))),
  constraint patches_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint patches_org_id_review_id_fkey FOREIGN KEY (org_id, review_id) REFERENCES svc.reviews(org_id, ticket_id)
);
CREATE INDEX patches_lens ON svc.patches USING btree (org_id, lens, id);
CREATE INDEX patches_review ON svc.patches USING btree (org_id, review_id);
alter table svc.patches enable row level security;
alter table svc.patches force row level security;
create policy tenant on svc.patches as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.patches to svc_app;

create table svc.eval_runs (
  org_id uuid not null,
  run_id uuid not null,
  lens_id uuid not null,
  lens_version integer not null,
  summary jsonb not null,
  cases jsonb not null,
  actor text not null,
  created_at timestamp with time zone default now() not null,
  constraint eval_runs_pkey PRIMARY KEY (org_id, run_id),
  constraint eval_runs_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint eval_runs_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
CREATE INDEX eval_runs_lens ON svc.eval_runs USING btree (org_id, lens_id, run_id DESC);
alter table svc.eval_runs enable row level security;
alter table svc.eval_runs force row level security;
create policy tenant on svc.eval_runs as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select on svc.eval_runs to svc_app;

create table svc.gaps (
  org_id uuid not null,
  id uuid not null,
  place text not null,
  lens text,
  kind text not null,
  missing text[] not null,
  questions jsonb not null,
  asks integer not null,
  callers integer not null,
  last_at timestamp with time zone not null,
  suggestion jsonb not null,
  status text default 'open'::text not null,
  resolution jsonb,
  refreshed_at timestamp with time zone default now() not null,
  constraint gaps_pkey PRIMARY KEY (org_id, id),
  constraint gaps_org_id_place_key UNIQUE (org_id, place),
  constraint gaps_kind_check CHECK ((kind = ANY (ARRAY['unread'::text, 'uncovered'::text, 'low_confidence'::text, 'failed'::text]))),
  constraint gaps_status_check CHECK ((status = ANY (ARRAY['open'::text, 'resolved'::text]))),
  constraint gaps_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.gaps enable row level security;
alter table svc.gaps force row level security;
create policy tenant on svc.gaps as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.gaps to svc_app;

create table svc.distill_candidates (
  org_id uuid not null,
  id uuid not null,
  lens_id uuid not null,
  meaning text not null,
  question text not null,
  variants text[] not null,
  sql text not null,
  evidence jsonb not null,
  status text default 'open'::text not null,
  cert_id text,
  decided_by text,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint distill_candidates_pkey PRIMARY KEY (org_id, id),
  constraint distill_candidates_org_id_lens_id_meaning_key UNIQUE (org_id, lens_id, meaning),
  constraint distill_candidates_status_check CHECK ((status = ANY (ARRAY['open'::text, 'accepted'::text, 'dismissed'::text]))),
  constraint distill_candidates_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint distill_candidates_org_id_lens_id_fkey FOREIGN KEY (org_id, lens_id) REFERENCES svc.lenses(org_id, id)
);
alter table svc.distill_candidates enable row level security;
alter table svc.distill_candidates force row level security;
create policy tenant on svc.distill_candidates as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.distill_candidates to svc_app;

create table svc.sign_in_links (
  org_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone default now() not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint sign_in_links_pkey PRIMARY KEY (org_id, id),
  constraint sign_in_links_org_id_token_hash_key UNIQUE (org_id, token_hash),
  constraint sign_in_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint sign_in_links_org_id_user_id_fkey FOREIGN KEY (org_id, user_id) REFERENCES svc.users(org_id, id) ON DELETE CASCADE
);
alter table svc.sign_in_links enable row level security;
alter table svc.sign_in_links force row level security;
create policy presented on svc.sign_in_links as permissive for select to public using ((token_hash = decode(NULLIF(current_setting('svc.presented_hash'::text, true), ''::text), 'hex'::text)));
create policy tenant on svc.sign_in_links as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.sign_in_links to svc_app;

create table svc.signing_keys (
  id text not null,
  sealed text,
  revoked_at timestamp with time zone,
  constraint signing_keys_pkey PRIMARY KEY (id),
  constraint signing_keys_check CHECK (((sealed IS NULL) = (revoked_at IS NOT NULL)))
);
grant insert, select, update on svc.signing_keys to svc_app;

create table svc.threads (
  org_id uuid not null,
  id uuid not null,
  owner uuid not null,
  title text not null,
  shared boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  constraint threads_pkey PRIMARY KEY (org_id, id),
  constraint threads_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE INDEX threads_recent ON svc.threads USING btree (org_id, owner, updated_at DESC, id DESC);
alter table svc.threads enable row level security;
alter table svc.threads force row level security;
create policy tenant on svc.threads as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.threads to svc_app;

create table svc.thread_turns (
  org_id uuid not null,
  thread_id uuid not null,
  "position" integer not null,
  request_id uuid not null,
  lens text,
  question text,
  constraint thread_turns_pkey PRIMARY KEY (org_id, thread_id, "position"),
  constraint thread_turns_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id),
  constraint thread_turns_org_id_thread_id_fkey FOREIGN KEY (org_id, thread_id) REFERENCES svc.threads(org_id, id) ON DELETE CASCADE
);
alter table svc.thread_turns enable row level security;
alter table svc.thread_turns force row level security;
create policy tenant on svc.thread_turns as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant insert, select on svc.thread_turns to svc_app;

create table svc.boards (
  org_id uuid not null,
  id uuid not null,
  owner uuid,
  title text not null,
  shared boolean default false not null,
  created_at timestamp with time zone default now() not null,
  updated_at timestamp with time zone default now() not null,
  opened_at timestamp with time zone default now() not null,
  path text,
  refresh text default 'manual'::text not null,
  constraint boards_pkey PRIMARY KEY (org_id, id),
  constraint boards_check CHECK (((owner IS NULL) <> (path IS NULL))),
  constraint boards_refresh_check CHECK ((refresh = ANY (ARRAY['manual'::text, '5m'::text, '1h'::text, '24h'::text]))),
  constraint boards_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
CREATE UNIQUE INDEX boards_path ON svc.boards USING btree (org_id, path);
CREATE INDEX boards_recent ON svc.boards USING btree (org_id, updated_at DESC, id DESC);
alter table svc.boards enable row level security;
alter table svc.boards force row level security;
create policy tenant on svc.boards as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.boards to svc_app;

create table svc.board_tiles (
  org_id uuid not null,
  board_id uuid not null,
  id uuid not null,
  "position" integer not null,
  wide boolean default false not null,
  lens text not null,
  asked jsonb not null,
  constraint board_tiles_pkey PRIMARY KEY (org_id, board_id, id),
  constraint board_tiles_org_id_board_id_fkey FOREIGN KEY (org_id, board_id) REFERENCES svc.boards(org_id, id) ON DELETE CASCADE,
  constraint board_tiles_org_id_fkey FOREIGN KEY (org_id) REFERENCES svc.organizations(id)
);
alter table svc.board_tiles enable row level security;
alter table svc.board_tiles force row level security;
create policy tenant on svc.board_tiles as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.board_tiles to svc_app;

create table svc.trace_tallies (
  org_id uuid not null,
  hour timestamp with time zone not null,
  lens text not null,
  caller text not null,
  surface text not null,
  status text not null,
  confidence text not null,
  certification text not null,
  asks bigint not null,
  cost numeric not null,
  total_ms double precision not null,
  last_at timestamp with time zone not null
);
CREATE INDEX trace_tallies_hour ON svc.trace_tallies USING btree (org_id, hour);
alter table svc.trace_tallies enable row level security;
alter table svc.trace_tallies force row level security;
create policy tenant on svc.trace_tallies as permissive for all to public using ((org_id = ( SELECT svc.current_org() AS current_org))) with check ((org_id = ( SELECT svc.current_org() AS current_org)));
grant delete, insert, select, update on svc.trace_tallies to svc_app;

CREATE TRIGGER certified_deleted AFTER DELETE ON svc.certified_entries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses();

CREATE TRIGGER certified_inserted AFTER INSERT ON svc.certified_entries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses();

CREATE TRIGGER certified_updated AFTER UPDATE ON svc.certified_entries REFERENCING OLD TABLE AS before NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_entries();

CREATE TRIGGER samples_deleted AFTER DELETE ON svc.sample_queries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_samples();

CREATE TRIGGER samples_inserted AFTER INSERT ON svc.sample_queries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_samples();

CREATE TRIGGER samples_updated AFTER UPDATE ON svc.sample_queries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_samples();

CREATE TRIGGER terms_deleted AFTER DELETE ON svc.semantic_objects REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_terms();

CREATE TRIGGER terms_inserted AFTER INSERT ON svc.semantic_objects REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_terms();

CREATE TRIGGER terms_updated AFTER UPDATE ON svc.semantic_objects REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_terms();

CREATE TRIGGER traces_tallied AFTER INSERT ON svc.traces REFERENCING NEW TABLE AS made FOR EACH STATEMENT EXECUTE FUNCTION svc.tally_traces();

CREATE TRIGGER dictionaries_deleted AFTER DELETE ON svc.value_dictionaries REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses();

CREATE TRIGGER dictionaries_inserted AFTER INSERT ON svc.value_dictionaries REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses();

CREATE TRIGGER dictionaries_updated AFTER UPDATE ON svc.value_dictionaries REFERENCING OLD TABLE AS earlier NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION svc.touch_lenses_of_moved_values();
