-- Organizations, and the rule that every later tenant table obeys: forced row-level security from its first day.
create schema svc;
revoke all on schema public from public;

-- Everything the server's login may do, it may do through this group role (the login itself is made by `svc migrate`).
do $$ begin
  create role svc_app nologin nosuperuser nobypassrls;
exception when duplicate_object or unique_violation then null; end $$;
grant usage on schema svc to svc_app;

create function svc.current_org() returns uuid
language sql stable parallel safe
as $$ select case when current_setting('svc.org_id', true) ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  then current_setting('svc.org_id', true)::uuid end $$;

-- Enables and forces row-level security, and grants what the app may do; TRUNCATE, REFERENCES and TRIGGER never.
create procedure svc.protect(tenant_table regclass, privileges text default 'select, insert, update, delete')
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('alter table %s force row level security', tenant_table);
  execute format('create policy tenant on %s using (org_id = (select svc.current_org())) with check (org_id = (select svc.current_org()))', tenant_table);
  execute format('grant %s on %s to svc_app', privileges, tenant_table);
end $$;

-- Global: read by the server to resolve names; rows are made by migrations' owner (bootstrap) only.
create table svc.organizations (
  id uuid primary key,
  name text not null unique check (name ~ '^[a-z][a-z0-9_-]{0,62}$'),
  created_at timestamptz not null default now()
);
grant select on svc.organizations to svc_app;
