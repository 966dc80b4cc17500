-- What was edited by API since its author last sent the project: path -> {base, by, at, message}; base is the author's text.
alter table svc.deployments add column edits jsonb not null default '{}';
-- The rest of a deployment stays as it was written: an author who takes an edit over changes only what is still lacking.
grant update (edits) on svc.deployments to svc_app;
