create table branches(branch_id int primary key, branch_name text, city text, opened date);
create table clients(client_id int primary key, name text, birth_number date, gender text, home_branch_id int references branches, risk_class text);
create table accounts(account_id int primary key, client_id int references clients, branch_id int references branches, type text, currency text, opened_on date, closed_on date, credit_limit numeric(12,2));
create table transactions(transaction_id int primary key, account_id int references accounts, booked_at date, value_date date, amount numeric(12,2), kind text, counterparty text, fee numeric(6,2));
create table balances(account_id int references accounts, balance_date date, balance numeric(12,2), primary key(account_id, balance_date));
create table loans(loan_id int primary key, account_id int references accounts, granted_on date, principal numeric(12,2), months int, rate numeric(5,3), status text);
