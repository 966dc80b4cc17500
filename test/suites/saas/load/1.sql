create table plans(plan_id int primary key, plan_name text, billing text, monthly_price numeric(8,2));
create table accounts(account_id int primary key, account_name text, country text, industry text, status text, created_at timestamp, employees int, owner text);
create table subscriptions(subscription_id int primary key, account_id int references accounts, plan_id int references plans, started_on date, renewed_on date, cancelled_on date, seats int, status text);
create table invoices(invoice_id int primary key, account_id int references accounts, issued_on date, due_on date, paid_on date, amount numeric(10,2), currency text, status text);
create table tickets(ticket_id int primary key, account_id int references accounts, opened_at timestamp, closed_at timestamp, priority text, status text, channel text, satisfaction int);
