create table stations(station_id int primary key, station_name text, district text, capacity int, opened_on date);
create table bikes(bike_id int primary key, model text, is_electric boolean, purchased_on date, purchase_price numeric(8,2));
create table members(member_id int primary key, member_name text, plan text, joined_on date, age int);
create table rides(ride_id int primary key, bike_id int references bikes, member_id int references members, start_station_id int references stations, end_station_id int references stations, started_at timestamp, duration_min numeric(6,1), distance_km numeric(6,2), price numeric(6,2), rating int);
create table repairs(repair_id int primary key, bike_id int references bikes, repaired_on date, part text, cost numeric(8,2));
