-- One row for each ask, with everything that reports filter and count by. Before, an ask added four rows, one for each
-- dimension, so a report could filter by only one of them.
drop table svc.trace_tallies;

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
create index trace_tallies_hour on svc.trace_tallies (org_id, hour);
call svc.protect('svc.trace_tallies');

create or replace function svc.tally_traces() returns trigger language plpgsql as $$
begin
  insert into svc.trace_tallies
  select org_id, date_trunc('hour', at, 'UTC'), coalesce(lens, ''), caller, surface, status, confidence, certification,
    1, cost, total_ms, at
  from made where surface <> 'mgmt';
  return null;
end $$;

do $$
declare organization uuid;
begin
  for organization in select id from svc.organizations loop
    perform set_config('svc.org_id', organization::text, true);
    insert into svc.trace_tallies
    select org_id, date_trunc('hour', at, 'UTC'), coalesce(lens, ''), caller, surface, status, confidence, certification,
      count(*), sum(cost), sum(total_ms), max(at)
    from svc.traces where org_id = organization and surface <> 'mgmt' group by 1, 2, 3, 4, 5, 6, 7, 8;
  end loop;
  perform set_config('svc.org_id', '', true);
end $$;
