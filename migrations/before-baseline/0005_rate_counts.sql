-- How much of each key's allowance in a minute the replicas have taken between them. A replica takes a share for many
-- requests at a time, so that no request needs a write of its own. Keys are credential ids and addresses' hashes: no tenant.
create unlogged table svc.rate_shares (
  bucket text not null,
  window_start bigint not null,
  taken int not null,
  primary key (bucket, window_start)
);
create index rate_shares_old on svc.rate_shares (window_start);
grant select, insert, update, delete on svc.rate_shares to svc_app;
