// Statements as they are written for a question, each beside the one that looks as good and counts otherwise.
// `check`: what must not pass of the wrong one.
export interface Pair {
  about: string;
  right: string;
  wrong: string;
  check: 'no_fan_out' | 'joins_declared' | 'measures_additive' | 'values_known';
}

export const PAIRS: readonly Pair[] = [
  {
    about: 'order totals beside their payments',
    right:
      'select sum(o.total), sum(p.paid) from orders o left join (select order_id, sum(amount) as paid from payments group by order_id) p on p.order_id = o.id',
    wrong: 'select sum(o.total), sum(p.amount) from orders o left join payments p on p.order_id = o.id',
    check: 'no_fan_out',
  },
  {
    about: 'order totals by category of what was bought',
    right:
      'select pr.category, sum(l.line_total) from order_lines l join products pr on pr.id = l.product_id group by pr.category',
    wrong:
      'select pr.category, sum(o.total) from orders o join order_lines l on l.order_id = o.id join products pr on pr.id = l.product_id group by pr.category',
    check: 'no_fan_out',
  },
  {
    about: 'orders that have a furniture line',
    right:
      "select count(*) from orders o where exists (select 1 from order_lines l join products pr on pr.id = l.product_id where l.order_id = o.id and pr.category = 'Furniture')",
    wrong:
      "select count(o.id) from orders o join order_lines l on l.order_id = o.id join products pr on pr.id = l.product_id where pr.category = 'Furniture'",
    check: 'no_fan_out',
  },
  {
    about: 'shipping of orders that were paid by card',
    right: "select sum(o.shipping) from orders o where o.id in (select order_id from payments where method = 'card')",
    wrong: "select sum(o.shipping) from orders o join payments p on o.id = p.order_id where p.method = 'card'",
    check: 'no_fan_out',
  },
  {
    about: 'mean order total by city',
    right: 'select c.city, avg(o.total) from orders o join customers c on c.id = o.customer_id group by c.city',
    wrong:
      'select c.city, avg(o.total) from customers c join orders o on o.customer_id = c.id join order_lines l on l.order_id = o.id group by c.city',
    check: 'no_fan_out',
  },
  {
    about: 'tickets and orders of each customer',
    right:
      'select c.name, (select count(*) from orders o where o.customer_id = c.id), (select count(*) from tickets t where t.customer_id = c.id) from customers c',
    wrong:
      'select c.name, count(o.id), count(t.id) from customers c left join orders o on o.customer_id = c.id left join tickets t on t.customer_id = c.id group by c.name',
    check: 'no_fan_out',
  },
  {
    about: 'a sum over a joined subquery',
    right: 'select sum(x.total) from (select o.id, o.total from orders o join customers c on c.id = o.customer_id) x',
    wrong:
      'select sum(x.total) from (select o.id, o.total, l.qty from orders o join order_lines l on l.order_id = o.id) x',
    check: 'no_fan_out',
  },
  {
    about: 'a sum over a common table',
    right:
      'with lines as (select order_id, sum(qty) as pieces from order_lines group by order_id) select sum(o.total), sum(l.pieces) from orders o join lines l on l.order_id = o.id',
    wrong:
      'with lines as (select order_id, product_id, sum(qty) as pieces from order_lines group by order_id, product_id) select sum(o.total), sum(l.pieces) from orders o join lines l on l.order_id = o.id',
    check: 'no_fan_out',
  },
  {
    about: 'payments by method with a count of orders',
    right: 'select p.method, count(distinct p.order_id) from payments p group by p.method',
    wrong: 'select p.method, count(o.id) from orders o join payments p on p.order_id = o.id group by p.method',
    check: 'no_fan_out',
  },
  {
    about: 'customers with an order',
    right: 'select count(distinct c.id) from customers c join orders o on o.customer_id = c.id',
    wrong: 'select count(c.id) from customers c join orders o on o.customer_id = c.id',
    check: 'no_fan_out',
  },
  {
    about: 'totals joined with USING',
    right: 'select sum(l.line_total) from order_lines l join orders o on o.id = l.order_id',
    wrong: 'select sum(o.total) from order_lines l, orders o where o.id = l.order_id',
    check: 'no_fan_out',
  },
  {
    about: 'totals through two distinct rows',
    right: 'select sum(o.total) from orders o join (select distinct order_id from payments) p on p.order_id = o.id',
    wrong:
      'select sum(o.total) from orders o join (select distinct order_id, method from payments) p on p.order_id = o.id',
    check: 'no_fan_out',
  },
  {
    about: 'a total of those with several payments in having',
    right: 'select o.id from orders o join payments p on p.order_id = o.id group by o.id having sum(p.amount) > 10',
    wrong:
      'select o.customer_id from orders o join payments p on p.order_id = o.id group by o.customer_id having sum(o.total) > 10',
    check: 'no_fan_out',
  },
  {
    about: 'orders of each product',
    right: 'select l.product_id, count(o.id) from orders o join stocked l on l.order_id = o.id group by l.product_id',
    wrong: 'select o.status, count(o.id) from orders o join stocked l on l.order_id = o.id group by o.status',
    check: 'no_fan_out',
  },
  {
    about: 'orders of one product',
    right:
      'select o.status, sum(o.total) from orders o join stocked l on l.order_id = o.id where l.product_id = 1 group by o.status',
    wrong:
      'select o.status, sum(o.total) from orders o join stocked l on l.order_id = o.id where l.product_id > 1 group by o.status',
    check: 'no_fan_out',
  },
  {
    about: 'orders of customers',
    right: 'select c.name, sum(o.total) from orders o join customers c on o.customer_id = c.id group by c.name',
    wrong: 'select c.name, sum(o.total) from orders o join customers c on o.id = c.id group by c.name',
    check: 'joins_declared',
  },
  {
    about: 'lines of products',
    right: 'select pr.name, sum(l.qty) from order_lines l join products pr on l.product_id = pr.id group by pr.name',
    wrong: 'select pr.name, sum(l.qty) from order_lines l join products pr on l.order_id = pr.id group by pr.name',
    check: 'joins_declared',
  },
  {
    about: 'everything beside everything',
    right: 'select count(*) from orders o join customers c on c.id = o.customer_id',
    wrong: 'select count(*) from orders o, customers c',
    check: 'joins_declared',
  },
  {
    about: 'a share of the whole, where one row stands beside all',
    right:
      'select o.status, sum(o.total) / max(w.whole) from orders o cross join (select sum(total) as whole from orders) w group by o.status',
    wrong:
      'select o.status, sum(o.total) / max(w.whole) from orders o cross join (select status, sum(total) as whole from orders group by status) w group by o.status',
    check: 'joins_declared',
  },
  {
    about: 'payments of orders, in a correlated query',
    right: 'select o.id from orders o where not exists (select 1 from payments p where p.order_id = o.id)',
    wrong: 'select o.id from orders o where not exists (select 1 from payments p where p.id = o.id)',
    check: 'joins_declared',
  },
  {
    about: 'orders of customers in a list',
    right: "select sum(total) from orders where customer_id in (select id from customers where city = 'Bergen')",
    wrong: "select sum(total) from orders where id in (select id from customers where city = 'Bergen')",
    check: 'joins_declared',
  },
  {
    about: 'orders beside tickets of one customer',
    right: 'select count(distinct o.id) from orders o join tickets t on t.customer_id = o.customer_id',
    wrong: 'select count(distinct o.id) from orders o join tickets t on t.id = o.customer_id',
    check: 'joins_declared',
  },
  {
    about: 'what pieces cost',
    right: 'select sum(qty * unit_price) from order_lines',
    wrong: 'select sum(unit_price) from order_lines',
    check: 'measures_additive',
  },
  {
    about: 'how content customers are',
    right: 'select avg(satisfaction_score) from tickets',
    wrong: 'select sum(satisfaction_score) from tickets',
    check: 'measures_additive',
  },
  {
    about: 'a mean over all orders',
    right:
      'select sum(x.totals) / sum(x.orders) from (select customer_id, sum(total) as totals, count(*) as orders from orders group by customer_id) x',
    wrong:
      'select avg(x.mean_total) from (select customer_id, avg(total) as mean_total from orders group by customer_id) x',
    check: 'measures_additive',
  },
  {
    about: 'a sum of means',
    right: 'select sum(total) from orders',
    wrong:
      'select sum(x.mean_total) from (select customer_id, avg(total) as mean_total from orders group by customer_id) x',
    check: 'measures_additive',
  },
  {
    about: 'prices with some of them left out',
    right: "select avg(case when category = 'Furniture' then price end) from products",
    wrong: "select sum(case when category = 'Furniture' then price else 0 end) from products",
    check: 'measures_additive',
  },
  {
    about: 'a status in another spelling',
    right: "select count(*) from orders where status = 'past_due'",
    wrong: "select count(*) from orders where status = 'Past due'",
    check: 'values_known',
  },
  {
    about: 'a city that nobody lives in',
    right: "select name from customers where city in ('Bergen', 'Oslo')",
    wrong: "select name from customers where city in ('Bergen', 'Tromso')",
    check: 'values_known',
  },
  {
    about: 'a tier that does not exist',
    right: 'select count(*) from customers where tier_code = 2',
    wrong: 'select count(*) from customers where tier_code = 7',
    check: 'values_known',
  },
  {
    about: 'a method within a case',
    right: "select sum(case when method = 'card' then amount else 0 end) from payments",
    wrong: "select sum(case when method = 'credit card' then amount else 0 end) from payments",
    check: 'values_known',
  },
  {
    about: 'a category in an inner query',
    right:
      "select count(*) from order_lines l where l.product_id in (select id from products where category = 'Lighting')",
    wrong:
      "select count(*) from order_lines l where l.product_id in (select id from products where category = 'Lightning')",
    check: 'values_known',
  },
];
