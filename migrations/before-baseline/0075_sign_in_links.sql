-- Links that sign somebody in once: what `npm start` prints. Only hashes are kept, and each is spent in one statement.
create table svc.sign_in_links (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  user_id uuid not null,
  token_hash bytea not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  primary key (org_id, id),
  unique (org_id, token_hash),
  foreign key (org_id, user_id) references svc.users (org_id, id) on delete cascade
);
call svc.protect('svc.sign_in_links');
-- Whoever presents the hash sees that row, and no other: the tenant is not known before.
create policy presented on svc.sign_in_links for select
  using (token_hash = decode(nullif(current_setting('svc.presented_hash', true), ''), 'hex'));
