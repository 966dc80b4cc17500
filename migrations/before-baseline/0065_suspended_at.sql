-- Since when an entry is out of service, which its later changes do not move.
alter table svc.certified_entries add column suspended_at timestamptz;
update svc.certified_entries set suspended_at = updated_at where status = 'suspended';
