// What people ask in German of the sample of a shop, with SQL by hand over its raw file. Written before there was any German
// in the planner.
export interface GermanQuestion {
  q: string;
  sql: string;
}
const asked = (q: string, sql: string): GermanQuestion => ({ q, sql });
const top = (n: number, name: string, measure: string, where = 'true', way = 'desc'): string =>
  `select ${name}, ${measure} as m from ORDERS where ${where} group by 1 order by m ${way} limit ${n}`;
const by = (name: string, measure: string, where = 'true'): string =>
  `select ${name}, ${measure} from ORDERS where ${where} group by 1`;
const month = `strftime(date_trunc('month', order_date), '%Y-%m-%d')`;
const quarter = `strftime(date_trunc('quarter', order_date), '%Y-%m-%d')`;
const year = `strftime(date_trunc('year', order_date), '%Y-%m-%d')`;
const ORDERED = 'count(distinct order_id)';
const BUYERS = 'count(distinct customer_id)';
const REVENUE = 'sum(sales)';

export const GERMAN: readonly GermanQuestion[] = [
  // How much, how many
  asked('Wie hoch war der Umsatz 2016?', `select ${REVENUE} from ORDERS where year(order_date) = 2016`),
  asked('Was war der Gesamtumsatz im Jahr 2017?', `select ${REVENUE} from ORDERS where year(order_date) = 2017`),
  asked('Wie viele Bestellungen gab es 2015?', `select ${ORDERED} from ORDERS where year(order_date) = 2015`),
  asked('Wie viele Kunden haben Möbel gekauft?', `select ${BUYERS} from ORDERS where category = 'Furniture'`),
  asked(
    'Wie viele Produkte wurden in Kalifornien verkauft?',
    `select count(distinct product_id) from ORDERS where state = 'California'`,
  ),
  asked('Wie hoch ist der Umsatz am 5. Mai 2016?', `select ${REVENUE} from ORDERS where order_date = '2016-05-05'`),
  // By what
  asked('Umsatz nach Region', by('region', REVENUE)),
  asked('Umsatz und Gewinn pro Kategorie', by('category', `${REVENUE}, sum(profit)`)),
  asked(
    'Durchschnittlicher Rabatt pro Kategorie und Jahr',
    `select category, ${year}, avg(discount) from ORDERS group by 1, 2`,
  ),
  asked('Durchschnittlicher Bestellwert nach Segment', by('segment', `${REVENUE} / ${ORDERED}`)),
  asked('Summe der Menge pro Versandart', by('ship_mode', 'sum(quantity)')),
  asked('Höchster Rabatt pro Unterkategorie', by('sub_category', 'max(discount)')),
  asked('Wie viele verschiedene Städte gibt es pro Region?', by('region', 'count(distinct city)')),
  asked('Verhältnis von Gewinn zu Umsatz pro Region', by('region', 'sum(profit) / sum(sales)')),
  // When
  asked('Umsatz pro Monat im Jahr 2016', by(month, REVENUE, 'year(order_date) = 2016')),
  asked('Anzahl der Bestellungen je Quartal', by(quarter, ORDERED)),
  asked('Monatlicher Umsatz in 2017', by(month, REVENUE, 'year(order_date) = 2017')),
  asked(
    'Gewinn im Westen im März 2017',
    `select sum(profit) from ORDERS where region = 'West' and order_date >= '2017-03-01' and order_date < '2017-04-01'`,
  ),
  asked(
    'Umsatz zwischen März und Juni 2016',
    `select ${REVENUE} from ORDERS where order_date >= '2016-03-01' and order_date < '2016-07-01'`,
  ),
  asked(
    'Wie viel Umsatz haben wir im letzten Quartal 2017 gemacht?',
    `select ${REVENUE} from ORDERS where order_date >= '2017-10-01' and order_date < '2018-01-01'`,
  ),
  asked(
    'Wie viele Bestellungen wurden seit Januar 2017 aufgegeben?',
    `select ${ORDERED} from ORDERS where order_date >= '2017-01-01'`,
  ),
  asked('Gewinn vor 2016', `select sum(profit) from ORDERS where order_date < '2016-01-01'`),
  // Ranks
  asked('Top 5 Bundesstaaten nach Gewinn', top(5, 'state', 'sum(profit)')),
  asked('Die 10 umsatzstärksten Städte', top(10, 'city', REVENUE)),
  asked('Welche Region hat den höchsten Umsatz?', top(1, 'region', REVENUE)),
  asked('Welcher Bundesstaat hat den niedrigsten Gewinn?', top(1, 'state', 'sum(profit)', 'true', 'asc')),
  asked('Zeige mir die 3 Regionen mit den meisten Kunden', top(3, 'region', BUYERS)),
  asked(
    'Welche 5 Produkte hatten 2017 den höchsten Gewinn?',
    top(5, 'product_name', 'sum(profit)', 'year(order_date) = 2017'),
  ),
  asked('Was ist die häufigste Versandart?', top(1, 'ship_mode', 'count(*)')),
  asked(
    'Umsatz nach Segment, absteigend sortiert nach Umsatz',
    `select segment, ${REVENUE} as m from ORDERS group by 1 order by m desc`,
  ),
  // Restricted
  asked('Umsatz von Möbeln in Texas', `select ${REVENUE} from ORDERS where category = 'Furniture' and state = 'Texas'`),
  asked(
    'Wie viele Bestellungen gab es in Kalifornien oder New York?',
    `select ${ORDERED} from ORDERS where state in ('California', 'New York')`,
  ),
  asked('Umsatz ohne Möbel', `select ${REVENUE} from ORDERS where category <> 'Furniture'`),
  asked(
    'Umsatz in Texas, Ohio und Florida',
    `select ${REVENUE} from ORDERS where state in ('Texas', 'Ohio', 'Florida')`,
  ),
  asked(
    'Wie viele Bestellungen kamen nicht aus Kalifornien?',
    `select ${ORDERED} from ORDERS where state <> 'California'`,
  ),
  asked('Durchschnittliche Lieferzeit im Osten', `select avg(days_to_ship) from ORDERS where region = 'East'`),
  asked('Wie viele Bestellpositionen haben eine Menge über 10?', `select count(*) from ORDERS where quantity > 10`),
  // Those that
  asked('Kunden mit mehr als 10 Bestellungen', `select customer_id from ORDERS group by 1 having ${ORDERED} > 10`),
  asked(
    'Wie viele Kunden haben mehr als 10 Bestellungen?',
    `select count(*) from (select customer_id from ORDERS group by 1 having ${ORDERED} > 10) x`,
  ),
  asked(
    'Bundesstaaten mit einem Umsatz über 100.000 Dollar',
    `select state, ${REVENUE} from ORDERS group by 1 having ${REVENUE} > 100000`,
  ),
  asked(
    'Welche Produkte haben in Texas Verlust gemacht?',
    `select product_name, sum(profit) from ORDERS where state = 'Texas' group by 1 having sum(profit) < 0`,
  ),
  asked(
    'Kunden, die Stühle, aber keine Tische gekauft haben',
    `select distinct customer_id from ORDERS where sub_category = 'Chairs' and customer_id not in (select customer_id from ORDERS where sub_category = 'Tables')`,
  ),
  asked(
    'Kunden, die nie Möbel gekauft haben',
    `select distinct customer_id from ORDERS where customer_id not in (select customer_id from ORDERS where category = 'Furniture')`,
  ),
  asked('Liste der Städte in Texas', `select distinct city from ORDERS where state = 'Texas'`),
  asked('Welche Kategorien gibt es?', `select distinct category from ORDERS`),
  // Parts and changes
  asked(
    'Anteil der Möbel am Gesamtumsatz',
    `select 100 * sum(sales) filter (where category = 'Furniture') / sum(sales) from ORDERS`,
  ),
  asked(
    'Umsatzwachstum pro Jahr',
    `select ${year}, 100 * (${REVENUE} - lag(${REVENUE}) over (order by ${year})) / lag(${REVENUE}) over (order by ${year}) from ORDERS group by 1`,
  ),
];
