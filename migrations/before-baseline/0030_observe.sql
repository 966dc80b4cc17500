-- What observing reads, however many traces there are: newest first by each filter, and sums by the hour.
create index traces_status on svc.traces (org_id, status, at desc, request_id desc);
create index traces_confidence on svc.traces (org_id, confidence, at desc, request_id desc);
create index traces_certification on svc.traces (org_id, certification, at desc, request_id desc);
create index traces_page on svc.traces (org_id, at desc, request_id desc);
drop index svc.traces_at;

-- Written by the trace's own insert and only ever added, so that two asks never wait for each other; rows of the same
-- hour are put together later. Asks of the control plane itself (eval runs, previews) do not count.
create table svc.trace_tallies (
  org_id uuid not null references svc.organizations,
  hour timestamptz not null,
  kind text not null check (kind in ('all', 'lens', 'caller', 'surface')),
  value text not null,
  asks bigint not null,
  answered bigint not null,
  clarification bigint not null,
  refused bigint not null,
  uncovered bigint not null,
  failed bigint not null,
  verified bigint not null,
  partial bigint not null,
  unverified bigint not null,
  certified bigint not null,
  assisted bigint not null,
  uncertified bigint not null,
  certified_failed bigint not null,
  cost numeric not null,
  total_ms double precision not null,
  last_at timestamptz not null
);
create index trace_tallies_place on svc.trace_tallies (org_id, kind, hour);
call svc.protect('svc.trace_tallies');

create function svc.tally_traces() returns trigger language plpgsql as $$
begin
  insert into svc.trace_tallies
  select org_id, date_trunc('hour', at, 'UTC'), k.kind, k.value, count(*),
    count(*) filter (where status = 'answered'), count(*) filter (where status = 'clarification'),
    count(*) filter (where status = 'refused'), count(*) filter (where status = 'uncovered'),
    count(*) filter (where status = 'failed'),
    count(*) filter (where status = 'answered' and confidence = 'verified'),
    count(*) filter (where status = 'answered' and confidence = 'partial'),
    count(*) filter (where status = 'answered' and confidence = 'unverified'),
    count(*) filter (where status = 'answered' and certification = 'certified'),
    count(*) filter (where status = 'answered' and certification = 'assisted'),
    count(*) filter (where status = 'answered' and certification = 'none'),
    count(*) filter (where certification = 'certified_failed'),
    sum(cost), sum(total_ms), max(at)
  from made cross join lateral (values ('all', ''), ('lens', coalesce(lens, '')), ('caller', caller), ('surface', surface)) as k(kind, value)
  where surface <> 'mgmt'
  group by org_id, date_trunc('hour', at, 'UTC'), k.kind, k.value;
  return null;
end $$;
create trigger traces_tallied after insert on svc.traces referencing new table as made
  for each statement execute function svc.tally_traces();
