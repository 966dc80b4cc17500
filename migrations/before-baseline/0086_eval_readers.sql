-- Grades are no longer earned by evals: a run of evals or a review that is ruled on changes nothing that a lens serves.
drop trigger eval_runs_inserted on svc.eval_runs;
drop trigger reviews_updated on svc.reviews;
drop function svc.touch_lenses_of_reviews();

-- Kept runs, as a run is written now: by grade and by reader. Who read their questions is not known.
update svc.eval_runs
  set summary = (summary - 'calibration' - 'by_class' - 'reader')
    || jsonb_build_object('by_grade', summary -> 'calibration', 'by_reader', '[]'::jsonb);
