-- Sign-ins, registrations and demo keys are counted over all replicas. A bucket is a hash: no address, no e-mail is kept.
create table svc.attempts (
  bucket text not null,
  window_start timestamptz not null,
  taken int not null,
  primary key (bucket, window_start)
);
create index attempts_old on svc.attempts (window_start);
grant select, insert, update, delete on svc.attempts to svc_app;

-- KEY-04: one live demo key for each person, whatever happens at the same time.
create unique index credentials_one_demo_key on svc.credentials (org_id, caller_id)
  where kind = 'caller_key' and created_by = 'svc:demo' and revoked_at is null;
