-- What an apply compares without compiling: the hash of everything a lens is compiled from and checked against.
alter table svc.lenses add column source_sha256 text;
-- Made from the operator's own files: such a connection may reach private addresses (CONTRACT 7).
alter table svc.connections add column from_operator boolean not null default false;
alter table svc.evals add column choices jsonb;
create index lens_versions_deployment on svc.lens_versions (org_id, deployment_id);
alter table svc.settings add column origin text not null default 'api' check (origin in ('file', 'api'));
