-- What a certified entry is served with moves the stamp of its lens. What is noted beside it does not: its dependencies,
-- written at its first serve, and its last check would otherwise make every replica read the whole library again.
create function svc.touch_lenses_of_entries() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (
      select distinct n.org_id, n.lens_id from changed n join before b on b.org_id = n.org_id and b.id = n.id
      where (n.lens_id, n.cert_id, n.question, n.also_asked, n.sql, n.parameters, n.approved_by, n.approved_at, n.status, n.notes, n.invariants)
        is distinct from (b.lens_id, b.cert_id, b.question, b.also_asked, b.sql, b.parameters, b.approved_by, b.approved_at, b.status, b.notes, b.invariants)
    ) c where l.org_id = c.org_id and l.id = c.lens_id;
  return null;
end $$;
drop trigger certified_updated on svc.certified_entries;
create trigger certified_updated after update on svc.certified_entries
  referencing old table as before new table as changed for each statement execute function svc.touch_lenses_of_entries();
