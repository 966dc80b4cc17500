create table department(id int primary key, name text, floor int, budget numeric(12,2));
create table doctor(id int primary key, first_name text, last_name text, specialty text, department_id int references department, hired date, salary numeric(10,2));
create table patient(id int primary key, first_name text, last_name text, gender text, birth_date date, city text, insurer text);
create table visit(id int primary key, patient_id int references patient, doctor_id int references doctor, visited_at timestamp, reason text, status text, fee numeric(8,2), waiting_minutes int);
create table prescription(id int primary key, visit_id int references visit, drug text, dose_mg int, days int);
