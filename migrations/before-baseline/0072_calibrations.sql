-- What evals and reviews have shown of each way of reading is served with a lens: a run of its evals, and a review that is
-- ruled on, move its stamp.
create trigger eval_runs_inserted after insert on svc.eval_runs referencing new table as changed
  for each statement execute function svc.touch_lenses();

create function svc.touch_lenses_of_reviews() returns trigger language plpgsql as $$
begin
  update svc.lenses l set updated_at = clock_timestamp()
    from (select distinct org_id, lens from changed where status = 'accepted') c
    where l.org_id = c.org_id and l.name = c.lens;
  return null;
end $$;
create trigger reviews_updated after update on svc.reviews referencing new table as changed
  for each statement execute function svc.touch_lenses_of_reviews();
