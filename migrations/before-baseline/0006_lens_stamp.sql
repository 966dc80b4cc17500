-- A served lens is its version plus its certified entries and dictionaries. Whatever changes one of these moves the
-- lens's stamp, so that every replica notices at its next ask without polling the entries themselves.
create function svc.touch_lenses() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct org_id, lens_id from changed) c where l.org_id = c.org_id and l.id = c.lens_id;
  return null;
end $$;
create trigger certified_inserted after insert on svc.certified_entries referencing new table as changed
  for each statement execute function svc.touch_lenses();
create trigger certified_updated after update on svc.certified_entries referencing new table as changed
  for each statement execute function svc.touch_lenses();
create trigger certified_deleted after delete on svc.certified_entries referencing old table as changed
  for each statement execute function svc.touch_lenses();
create trigger dictionaries_inserted after insert on svc.value_dictionaries referencing new table as changed
  for each statement execute function svc.touch_lenses();
create trigger dictionaries_updated after update on svc.value_dictionaries referencing new table as changed
  for each statement execute function svc.touch_lenses();
create trigger dictionaries_deleted after delete on svc.value_dictionaries referencing old table as changed
  for each statement execute function svc.touch_lenses();
