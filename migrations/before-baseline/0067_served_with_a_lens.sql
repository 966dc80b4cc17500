-- A lens is served with the terms that are shared just now and with the sample questions that were added by API and tried:
-- whatever changes one of these moves the stamp of the lenses that it may reach.
alter table svc.sample_queries add column tried_at timestamptz;

create function svc.touch_lenses_of_terms() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    where l.active_version is not null
      and l.org_id in (select org_id from changed where kind = 'definition');
  return null;
end $$;
create trigger terms_inserted after insert on svc.semantic_objects referencing new table as changed
  for each statement execute function svc.touch_lenses_of_terms();
create trigger terms_updated after update on svc.semantic_objects referencing new table as changed
  for each statement execute function svc.touch_lenses_of_terms();
create trigger terms_deleted after delete on svc.semantic_objects referencing old table as changed
  for each statement execute function svc.touch_lenses_of_terms();

create function svc.touch_lenses_of_samples() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct org_id, lens from changed) c where l.org_id = c.org_id and l.name = c.lens;
  return null;
end $$;
create trigger samples_inserted after insert on svc.sample_queries referencing new table as changed
  for each statement execute function svc.touch_lenses_of_samples();
create trigger samples_updated after update on svc.sample_queries referencing new table as changed
  for each statement execute function svc.touch_lenses_of_samples();
create trigger samples_deleted after delete on svc.sample_queries referencing old table as changed
  for each statement execute function svc.touch_lenses_of_samples();
