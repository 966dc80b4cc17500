-- How often an open board computes its tiles again. The page does it; no row of an answer is kept.
alter table svc.boards add refresh text not null default 'manual' check (refresh in ('manual', '5m', '1h', '24h'));
