-- Users with the role curator.
alter table svc.users drop constraint users_role_check;
alter table svc.users add constraint users_role_check check (role in ('admin', 'curator', 'viewer'));
