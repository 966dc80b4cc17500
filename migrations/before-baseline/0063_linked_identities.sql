-- Who a person is at the sign-in provider, kept by their own first sign-in: an e-mail, which any administrator can write
-- into an account, leads nowhere any more once somebody stands behind the account.
alter table svc.users add column identity_issuer text, add column identity_subject text,
  add constraint users_identity_whole check ((identity_issuer is null) = (identity_subject is null));
create unique index users_identity on svc.users (org_id, identity_issuer, identity_subject) where identity_subject is not null;
create index users_by_identity on svc.users (identity_issuer, identity_subject) where identity_subject is not null;
-- Before a tenant is known, a person sees the accounts that they are linked to, of whatever organization, and no others.
create policy presented_identity on svc.users for select
  using (identity_issuer = nullif(current_setting('svc.presented_issuer', true), '')
    and identity_subject = nullif(current_setting('svc.presented_subject', true), ''));
