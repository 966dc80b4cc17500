// Eight tables of eight trades, as foreign as they come: what in them adds up, and what never does. Written before anybody
// looked at what a draft makes of them.
export interface ForeignTable {
  name: string;
  /** What an answer is split by. */
  by: string;
  ddl: string;
  /** Fields, each with the words by which people ask for it. */
  notSummed: Record<string, string>;
  summed: Record<string, string>;
}

export const FOREIGN_TABLES: ForeignTable[] = [
  {
    name: 'weather_readings',
    by: 'station',
    ddl: `create table weather_readings (reading_id int primary key, station text, read_on date, temp_c numeric(5,1),
        dew_point numeric(5,1), humidity numeric(5,1), pressure_hpa numeric(6,1), wind_kmh numeric(5,1), uv_index int,
        rainfall_mm numeric(6,1), sunshine_hours numeric(4,1));
      insert into weather_readings select i, (array['Arlund', 'Brek', 'Cove'])[1 + i % 3], date '2025-01-01' + i / 3,
        5 + i % 17, 2 + i % 11, 40 + i % 37, 990 + i % 41, 3 + i % 29, 1 + i % 8, i % 13, i % 7 from generate_series(1, 240) i;`,
    notSummed: {
      temp_c: 'temperature',
      dew_point: 'dew point',
      humidity: 'humidity',
      pressure_hpa: 'pressure',
      wind_kmh: 'wind',
      uv_index: 'uv index',
    },
    summed: { rainfall_mm: 'rainfall', sunshine_hours: 'sunshine hours' },
  },
  {
    name: 'car_models',
    by: 'maker',
    ddl: `create table car_models (model_id int primary key, maker text, model_name text, mpg numeric(4,1), horsepower int,
        displacement numeric(4,1), top_speed int, msrp numeric(10,2), units_sold int, warranty_claims int);
      insert into car_models select i, (array['Ardent', 'Bolt', 'Cirro', 'Dyne'])[1 + i % 4], 'Model ' || i, 18 + i % 23,
        70 + i % 130, 1.2 + i % 5, 150 + i % 90, 15000 + i * 37, 100 + i * 3, i % 19 from generate_series(1, 120) i;`,
    notSummed: {
      mpg: 'mpg',
      horsepower: 'horsepower',
      displacement: 'displacement',
      top_speed: 'top speed',
      msrp: 'msrp',
    },
    summed: { units_sold: 'units sold', warranty_claims: 'warranty claims' },
  },
  {
    name: 'district_census',
    by: 'district',
    ddl: `create table district_census (district text, census_date date, population int, median_age numeric(4,1),
        fertility numeric(4,2), literacy_rate numeric(5,2), life_expectancy numeric(4,1), births int, deaths int,
        primary key (district, census_date));
      insert into district_census select d, date '2016-12-31' + (y || ' years')::interval, 9000 + 500 * length(d) + 130 * y,
        30 + y, 1.5 + y / 10.0, 90 + y, 70 + y, 100 + 7 * y, 80 + 5 * y
        from unnest(array['Elm', 'Firth', 'Gorse Hill']) d, generate_series(0, 7) y;`,
    notSummed: {
      population: 'population',
      median_age: 'median age',
      fertility: 'fertility',
      literacy_rate: 'literacy rate',
      life_expectancy: 'life expectancy',
    },
    summed: { births: 'births', deaths: 'deaths' },
  },
  {
    name: 'cell_stats',
    by: 'area',
    ddl: `create table cell_stats (stat_id int primary key, area text, stat_day date, signal_dbm int, latency_ms numeric(6,1),
        packet_loss numeric(5,3), arpu numeric(8,2), calls int, dropped_calls int, data_gb numeric(10,2));
      insert into cell_stats select i, (array['North', 'South'])[1 + i % 2], date '2025-03-01' + i / 2, -110 + i % 40,
        12 + i % 55, (i % 9) / 100.0, 11 + i % 6, 400 + i, i % 14, i * 1.5 from generate_series(1, 180) i;
      comment on column cell_stats.arpu is 'Average revenue per user in EUR';`,
    notSummed: { signal_dbm: 'signal', latency_ms: 'latency', packet_loss: 'packet loss', arpu: 'arpu' },
    summed: { calls: 'calls', dropped_calls: 'dropped calls', data_gb: 'data gb' },
  },
  {
    name: 'ward_days',
    by: 'ward',
    ddl: `create table ward_days (ward text, as_of date, occupied_beds int, heart_rate numeric(5,1), bmi numeric(4,1),
        admissions int, discharges int, primary key (ward, as_of));
      insert into ward_days select w, date '2025-05-01' + d, 10 + d % 7 + length(w), 60 + d % 30, 21 + d % 8, 1 + d % 5, d % 4
        from unnest(array['Cardiology', 'Surgery', 'Maternity']) w, generate_series(0, 59) d;`,
    notSummed: { occupied_beds: 'occupied beds', heart_rate: 'heart rate', bmi: 'bmi' },
    summed: { admissions: 'admissions', discharges: 'discharges' },
  },
  {
    name: 'harvests',
    by: 'crop',
    ddl: `create table harvests (harvest_id int primary key, crop text, harvested_on date, yield_per_ha numeric(6,2),
        soil_ph numeric(4,2), moisture numeric(5,2), harvest_tons numeric(8,2), water_used_m3 numeric(10,1));
      insert into harvests select i, (array['wheat', 'barley', 'oats'])[1 + i % 3], date '2024-07-01' + i, 3 + i % 6,
        5.5 + (i % 20) / 10.0, 12 + i % 9, 20 + i, 300 + i * 2 from generate_series(1, 90) i;`,
    notSummed: { yield_per_ha: 'yield per ha', soil_ph: 'soil ph', moisture: 'moisture' },
    summed: { harvest_tons: 'harvest tons', water_used_m3: 'water used' },
  },
  {
    name: 'meter_months',
    by: 'feeder',
    ddl: `create table meter_months (meter_month_id int primary key, feeder text, bill_month date, voltage numeric(6,1),
        power_factor numeric(4,3), tariff_eur_kwh numeric(6,4), consumption_kwh numeric(12,2));
      insert into meter_months select i, (array['F1', 'F2', 'F3', 'F4'])[1 + i % 4], date '2025-01-01' + ((i / 10) || ' months')::interval,
        225 + i % 12, 0.85 + (i % 10) / 100.0, 0.21 + (i % 5) / 100.0, 150 + i * 4 from generate_series(1, 110) i;`,
    notSummed: { voltage: 'voltage', power_factor: 'power factor', tariff_eur_kwh: 'tariff' },
    summed: { consumption_kwh: 'consumption' },
  },
  {
    name: 'account_months',
    by: 'branch',
    ddl: `create table account_months (account_id int, branch text, month_end date, closing_balance numeric(14,2),
        interest_rate numeric(6,4), fees_charged numeric(10,2), deposits numeric(12,2), withdrawals numeric(12,2),
        primary key (account_id, month_end));
      insert into account_months select a, (array['Harbour', 'Market'])[1 + a % 2], (date '2025-01-01' + (m || ' months')::interval)::date,
        1000 + a * 50 + m * 20, 0.01 + m / 1000.0, 2 + a % 3, 100 + m, 80 + a from generate_series(1, 30) a, generate_series(1, 9) m;`,
    notSummed: { closing_balance: 'closing balance' },
    summed: { fees_charged: 'fees charged', deposits: 'deposits', withdrawals: 'withdrawals' },
  },
];
