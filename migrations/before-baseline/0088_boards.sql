-- Boards: questions and plans arranged on a page. The answers are computed anew for each reader; no row of one is kept.
create table svc.boards (
  org_id uuid not null references svc.organizations,
  id uuid not null,
  -- A user, or a caller or admin credential without one.
  owner uuid not null,
  title text not null,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Retention counts from here.
  opened_at timestamptz not null default now(),
  primary key (org_id, id)
);
create index boards_recent on svc.boards (org_id, updated_at desc, id desc);
call svc.protect('svc.boards');

create table svc.board_tiles (
  org_id uuid not null references svc.organizations,
  board_id uuid not null,
  id uuid not null,
  position int not null,
  wide boolean not null default false,
  lens text not null,
  asked jsonb not null,
  primary key (org_id, board_id, id),
  foreign key (org_id, board_id) references svc.boards (org_id, id) on delete cascade
);
call svc.protect('svc.board_tiles');
