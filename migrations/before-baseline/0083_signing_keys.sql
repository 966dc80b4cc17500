-- Keys that signed receipts, each sealed with the first key of SVC_SECRET_KEY: the receipts of one that left the list still
-- verify. Revoking a key deletes it and keeps its id. They belong to the installation, as SVC_SECRET_KEY does.
create table svc.signing_keys (
  id text primary key,
  sealed text check ((sealed is null) = (revoked_at is not null)),
  revoked_at timestamptz
);
grant select, insert, update on svc.signing_keys to svc_app;
