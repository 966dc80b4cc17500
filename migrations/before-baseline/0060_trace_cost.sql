-- What the insert of a trace costs beside the trace itself, which every ask waits for.

-- The same texts as before, without building an automaton for each statement.
create or replace function svc.current_org() returns uuid
language sql stable parallel safe
as $$ select case when current_setting('svc.org_id', true) like '________-____-____-____-____________'
    and translate(current_setting('svc.org_id', true), '0123456789abcdef', '') = '----'
  then current_setting('svc.org_id', true)::uuid end $$;

-- A tally is made of a trace, which has an organization.
alter table svc.trace_tallies drop constraint trace_tallies_org_id_fkey;

-- One trace, as each ask writes it, needs no aggregates; many of one statement are put together.
create or replace function svc.tally_traces() returns trigger language plpgsql as $$
begin
  if (select count(*) from (select from made limit 2) few) = 1 then
    insert into svc.trace_tallies
    select org_id, date_trunc('hour', at, 'UTC'), k.kind, k.value, 1,
      (status = 'answered')::int, (status = 'clarification')::int, (status = 'refused')::int,
      (status = 'uncovered')::int, (status = 'failed')::int,
      (status = 'answered' and confidence = 'verified')::int, (status = 'answered' and confidence = 'partial')::int,
      (status = 'answered' and confidence = 'unverified')::int,
      (status = 'answered' and certification = 'certified')::int,
      (status = 'answered' and certification = 'assisted')::int, (status = 'answered' and certification = 'none')::int,
      (certification = 'certified_failed')::int, cost, total_ms, at
    from made cross join lateral (values ('all', ''), ('lens', coalesce(lens, '')), ('caller', caller), ('surface', surface)) as k(kind, value)
    where surface <> 'mgmt';
    return null;
  end if;
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
