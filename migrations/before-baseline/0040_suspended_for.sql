-- What took an entry out of service: one whose SQL did not run comes back by itself when it runs again.
alter table svc.certified_entries
  add column suspended_for text check (suspended_for in ('schema', 'meaning', 'result'));
