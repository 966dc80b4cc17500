-- When somebody last signed in with an account: of several with one e-mail, those in use are tried first.
alter table svc.users add column signed_in_at timestamptz;
