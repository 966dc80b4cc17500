-- Conversations: which requests follow on each other. The answers are in their traces and are computed anew for each reader.
create table svc.threads (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  -- A user, or a caller or admin credential without one.
  owner uuid not null,
  title text not null,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index threads_recent on svc.threads (org_id, owner, updated_at desc, id desc);
call svc.protect('svc.threads');

create table svc.thread_turns (
  org_id uuid not null references svc.organizations,
  thread_id uuid not null,
  position int not null,
  request_id uuid not null,
  lens text,
  question text,
  primary key (org_id, thread_id, position),
  foreign key (org_id, thread_id) references svc.threads (org_id, id) on delete cascade
);
call svc.protect('svc.thread_turns', 'select, insert');
