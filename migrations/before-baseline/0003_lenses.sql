-- What is deployed: connections, lenses and their immutable versions, certified entries, shared semantics, deployments.
create table svc.deployments (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  version int not null,
  content_sha256 text not null,
  files jsonb not null,
  changes jsonb not null,
  message text,
  actor text not null,
  applied_at timestamptz not null default now(),
  rolled_back_to int,
  primary key (org_id, id),
  unique (org_id, version)
);
call svc.protect('svc.deployments', 'select, insert');

create table svc.connections (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  name text not null,
  kind text not null,
  -- Secrets are sealed inside (SEC-01); ${NAME} stays unexpanded.
  config jsonb not null,
  origin text not null check (origin in ('file', 'api')),
  active boolean not null default true,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);
call svc.protect('svc.connections');

create table svc.lenses (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  name text not null,
  origin text not null check (origin in ('file', 'api')),
  -- Null: not in service (unpublished, or no longer named by the files).
  active_version int,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, name)
);
call svc.protect('svc.lenses');

create table svc.lens_versions (
  org_id uuid not null references svc.organizations,
  lens_id uuid not null,
  version int not null,
  content_sha256 text not null,
  -- The lens's own files as text, and the compiled lens (src/lens/lens.ts).
  files jsonb not null,
  compiled jsonb not null,
  deployment_id uuid,
  created_by text not null,
  created_at timestamptz not null default now(),
  primary key (org_id, lens_id, version),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id),
  foreign key (org_id, deployment_id) references svc.deployments (org_id, id)
);
call svc.protect('svc.lens_versions', 'select, insert');

create table svc.certified_entries (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens_id uuid not null,
  cert_id text not null check (cert_id ~ '^[a-z0-9][a-z0-9_-]{0,100}$'),
  question text not null,
  also_asked text[] not null default '{}',
  sql text not null,
  parameters jsonb not null default '{}',
  approved_by text,
  approved_at text,
  status text not null check (status in ('draft', 'approved', 'suspended', 'retired')),
  status_reason text,
  notes text,
  origin text not null check (origin in ('file', 'api')),
  path text,
  dependencies jsonb,
  invariants jsonb,
  last_check jsonb,
  revision int not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, lens_id, cert_id),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id)
);
create index certified_by_lens on svc.certified_entries (org_id, lens_id, status, cert_id);
call svc.protect('svc.certified_entries');

create table svc.evals (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  lens_id uuid not null,
  eval_id text not null,
  question text not null,
  expect jsonb not null,
  paraphrases text[] not null default '{}',
  origin text not null check (origin in ('file', 'api')),
  path text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, lens_id, eval_id),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id)
);
call svc.protect('svc.evals');

-- semantic/entities.yaml and semantic/definitions.yaml, or made by API.
create table svc.semantic_objects (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  kind text not null check (kind in ('entity', 'definition')),
  name text not null,
  body jsonb not null,
  origin text not null check (origin in ('file', 'api')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id),
  unique (org_id, kind, name)
);
call svc.protect('svc.semantic_objects');

-- Values read from the warehouse for `values: auto`, refreshed by apply and on demand. Never of masked or policy-filtered fields.
create table svc.value_dictionaries (
  org_id uuid not null references svc.organizations,
  lens_id uuid not null,
  dataset text not null,
  field text not null,
  values text[] not null,
  complete boolean not null,
  refreshed_at timestamptz not null default now(),
  primary key (org_id, lens_id, dataset, field),
  foreign key (org_id, lens_id) references svc.lenses (org_id, id)
);
call svc.protect('svc.value_dictionaries');

-- Organization-wide settings of the project: groups, standards, instance (what files or the API last said).
create table svc.settings (
  org_id uuid not null references svc.organizations,
  name text not null,
  body jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (org_id, name)
);
call svc.protect('svc.settings');
