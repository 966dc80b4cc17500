-- Which runs are still going: looked at whenever a run is read, and when a process starts.
create index runs_running on svc.runs (org_id, updated_at) where state = 'running';
