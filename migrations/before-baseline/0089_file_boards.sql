-- Boards of a project belong to no person, and come from a file.
alter table svc.boards alter owner drop not null;
alter table svc.boards add path text;
alter table svc.boards add check ((owner is null) <> (path is null));
create unique index boards_path on svc.boards (org_id, path);
