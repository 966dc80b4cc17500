-- Dictionaries are read again as they age. What was read and is as before moves no lens: its stamp would forget every
-- reading for nothing.
create function svc.touch_lenses_of_moved_values() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct c.org_id, c.lens_id
            from changed c join earlier e using (org_id, lens_id, dataset, field)
           where c."values" is distinct from e."values" or c.complete is distinct from e.complete) m
   where l.org_id = m.org_id and l.id = m.lens_id;
  return null;
end $$;
drop trigger dictionaries_updated on svc.value_dictionaries;
create trigger dictionaries_updated after update on svc.value_dictionaries
  referencing old table as earlier new table as changed
  for each statement execute function svc.touch_lenses_of_moved_values();
