// Questions and their readings, each checked by hand once.
import { describe, expect, test } from 'vitest';
import { intentBrief } from '../../../test/support/intent-brief.ts';
import { flights, school, shop, superstore } from '../../../test/support/planner-lenses.ts';
import type { Lens } from '../../lens/model/lens.ts';
import { readQuestion } from '../read-question.ts';

const now = new Date('2017-12-31T12:00:00Z');
const read = (lens: Lens, question: string) => {
  const reading = readQuestion({ question, lens, choices: {}, now });
  return reading.kind === 'intent' ? intentBrief(reading.intent) : JSON.stringify(reading);
};

const SUPERSTORE: [string, string][] = [
  [
    'What was revenue in the West in 2016?',
    'revenue | where orders.region = West | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['What was revenue by region in 2016?', 'revenue | by orders.region | time orders.order_date 2016-01-01..2017-01-01'],
  ['top 5 states by profit', 'profit | by orders.state | order #0 desc | limit 5'],
  [
    'how many customers bought furniture in California last quarter of 2017',
    'customers | where orders.category = Furniture & orders.state = California | time orders.order_date 2017-10-01..2018-01-01',
  ],
  ['average discount per category and year', 'average_discount | by orders.category, orders.order_date.year'],
  [
    'number of order lines above 1000 dollars in Texas by month of 2015',
    'count(orders) | by orders.order_date.month | where orders.sales > 1000 & orders.state = Texas | time orders.order_date 2015-01-01..2016-01-01',
  ],
  ['What was the profit margin ratio in 2016?', 'profit_ratio | time orders.order_date 2016-01-01..2017-01-01'],
  [
    'Which region had the highest revenue in 2017?',
    'groups | by orders.region | where orders.region is_not_null | time orders.order_date 2017-01-01..2018-01-01 | order revenue desc | limit 1',
  ],
  [
    'monthly revenue for technology in 2016',
    'revenue | by orders.order_date.month | where orders.category = Technology | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['revenue except in the West', 'revenue | where orders.region != West or null'],
  ['revenue not in California', 'revenue | where orders.state != California or null'],
  ['revenue excluding Furniture and Technology', 'revenue | where orders.category not_in Furniture|Technology or null'],
  [
    'revenue in the West but not in California',
    'revenue | where orders.region = West & orders.state != California or null',
  ],
  ['revenue between March and May 2016', 'revenue | time orders.order_date 2016-03-01..2016-06-01'],
  ['revenue since 2016 by quarter', 'revenue | by orders.order_date.quarter | where orders.order_date >= 2016-01-01'],
  ['revenue from January to March 2016', 'revenue | time orders.order_date 2016-01-01..2016-04-01'],
  [
    'revenue in Q3 2016 for Home Office',
    'revenue | where orders.segment = Home Office | time orders.order_date 2016-07-01..2016-10-01',
  ],
  ['revenue last week', 'revenue | time orders.order_date 2017-12-18..2017-12-25'],
  ['revenue in the past 2 quarters', 'revenue | time orders.order_date 2017-04-01..2017-10-01'],
  ['revenue on March 15, 2016', 'revenue | time orders.order_date 2016-03-15..2016-03-16'],
  ['revenue in the first half of 2016', 'revenue | time orders.order_date 2016-01-01..2016-07-01'],
  ['How many orders were shipped in 2016?', 'order_count | time orders.ship_date 2016-01-01..2017-01-01'],
  ['How many big order lines were there in Texas?', 'count(orders) | where orders.state = Texas & orders.sales > 1000'],
  ['How many distinct products were sold?', 'count_distinct(orders.product_id)'],
  ['number of states in the West', 'count_distinct(orders.state) | where orders.region = West'],
  ['How many order lines have sales over 500?', 'count(orders) | where orders.sales > 500'],
  ['Which states had profit below 0?', 'groups | by orders.state | having profit < 0'],
  [
    'which 3 states had the highest profit in 2016',
    'groups | by orders.state | time orders.order_date 2016-01-01..2017-01-01 | order profit desc | limit 3',
  ],
  [
    'top 3 products by sales in each category',
    'revenue | by orders.product_name, orders.category | order #0 desc | top 3 per orders.category',
  ],
  ['percentage of revenue by segment', 'percent_share_of_total(revenue) | by orders.segment'],
  [
    'running total of revenue by month in 2016',
    'running_total(revenue) | by orders.order_date.month | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['What is the ratio of profit to revenue', 'ratio(profit, revenue)'],
  ['revenue minus profit by region', 'difference(revenue, profit) | by orders.region'],
  ['revenue 2015 vs 2016', 'revenue | by orders.order_date.year | time orders.order_date 2015-01-01..2017-01-01'],
  ['compare revenue of West and East', 'revenue | by orders.region | where orders.region in West|East'],
  ['total sales and profit by category', 'revenue, profit | by orders.category'],
  ['revenue by state sorted by revenue ascending', 'revenue | by orders.state | order #0 asc'],
  [
    'orders per month in 2016',
    'order_count | by orders.order_date.month | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['number of orders per customer', 'order_count | by orders.customer_id'],
  ['list all segments', 'list orders | by orders.segment | distinct'],
  ['revenue in IN', 'revenue | where orders.state = Indiana'],
  [
    'only corporate revenue in 2016',
    'revenue | where orders.segment = Corporate | time orders.order_date 2016-01-01..2017-01-01',
  ],
  ['what is the highest discount', 'max(orders.discount)'],
  ['REVENUE IN THE WEST', 'revenue | where orders.region = West'],
];

const FLIGHTS: [string, string][] = [
  [
    'how many flights from Boston to Chicago in 2001',
    'flight_count | where origin.city = Boston & destination.city = Chicago | time flights.flight_date 2001-01-01..2002-01-01',
  ],
  ['average delay by origin city', 'average_delay | by origin.city'],
  ['number of on time flights by destination state', 'flight_count | by destination.state | where flights.delay < 15'],
  ['average delay for flights longer than 1000 miles', 'average_delay | where flights.distance > 1000'],
  ['how many airports are in each state', 'count(airports) | by airports.state'],
  [
    'how many flights per day in January 2001',
    'flight_count | by flights.flight_date.day | time flights.flight_date 2001-01-01..2001-02-01',
  ],
];

const SHOP: [string, string][] = [
  [
    'customers in Germany who bought a Chair in 2016',
    'list customers | by customers.name | where customers.country = Germany & some order_items (products.name = Chair & orders.order_date >= 2016-01-01 & orders.order_date < 2017-01-01)',
  ],
  ['how many orders were cancelled', 'count(orders) | where orders.status = cancelled'],
  ['how many orders were shipped in March 2016', 'count(orders) | time orders.shipped_at 2016-03-01..2016-04-01'],
  ['revenue by country', 'revenue | by customers.country'],
  ['items sold by category', 'items_sold | by products.category'],
  ['customers without orders', 'list customers | by customers.name | where no orders'],
  [
    'customers with no orders in 2016',
    'list customers | by customers.name | where no orders (orders.order_date >= 2016-01-01 & orders.order_date < 2017-01-01)',
  ],
  ['active customers', 'list customers | by customers.name | where customers.is_active = true'],
  ['how many customers are not active', 'count(customers) | where customers.is_active != true or null'],
  ['how many customers signed up in 2016', 'count(customers) | time customers.signup_date 2016-01-01..2017-01-01'],
  ['most expensive product', 'list products | by products.name | order products.price desc | limit 1'],
  ['products cheaper than 50 euros', 'list products | by products.name | where products.price < 50'],
  ['revenue per customer', 'revenue | by customers.name | key customers'],
  ['number of orders per customer', 'count(orders) | by customers.name | key customers'],
  ['customers with more than 5 orders', 'list customers | by customers.name | where some orders > 5'],
  [
    'customers with total revenue above 1000',
    'groups | by customers.name | key customers | where customers.id is_not_null | having revenue > 1000',
  ],
  [
    'total quantity by product in France',
    'items_sold | by products.name | key products | where customers.country = France',
  ],
  ['what is the total of order 5', 'list orders | by orders.total | where orders.id = 5'],
  [
    'names and emails of customers in Berlin or Paris, by name',
    'list customers | by customers.name, customers.email | where customers.city in Berlin|Paris | order customers.name asc',
  ],
  [
    'how many pending orders in 2016',
    'count(orders) | where orders.status = pending | time orders.order_date 2016-01-01..2017-01-01',
  ],
  [
    'top 3 customers by revenue in each country',
    'revenue | by customers.name, customers.country | key customers | where customers.id is_not_null | order #0 desc | top 3 per customers.country',
  ],
  [
    'Which customer spent the most in 2016?',
    'groups | by customers.name | key customers | where customers.id is_not_null | time orders.order_date 2016-01-01..2017-01-01 | order revenue desc | limit 1',
  ],
  ['revenue from the US', 'revenue | where customers.country = United States'],
];

const SCHOOL: [string, string][] = [
  ['How many female students?', 'count(student) | where student.sex = F'],
  ['students older than 20', 'list student | by student.first_name, student.last_name | where student.age > 20'],
  ['teachers older than the average', 'list teacher | by teacher.name | where teacher.age > avg(teacher.age)'],
  [
    'names of teachers who teach Algebra',
    'list teacher | by teacher.name | where some course (course.title = Algebra)',
  ],
  ['names of teachers who do not teach any course', 'list teacher | by teacher.name | where no course'],
  [
    'students who take more than 2 courses',
    'list student | by student.first_name, student.last_name | where some enrollment > 2',
  ],
  [
    'students enrolled in Algebra but not in World History',
    'list student | by student.first_name, student.last_name | where some enrollment (course.title = Algebra) & no enrollment (course.title = World History)',
  ],
  [
    'which teacher teaches the most courses',
    'groups | by teacher.name | key teacher | where teacher.teacher_id is_not_null | order count(course) desc | limit 1',
  ],
  ['courses taught by Brown', 'list course | by course.title | where teacher.name = Brown'],
  [
    'What is the average grade of each student?',
    'avg(enrollment.grade) | by student.first_name, student.last_name | key student',
  ],
  ['the oldest teacher', 'list teacher | by teacher.name | order teacher.age desc | limit 1'],
  [
    'students whose advisor is Brown',
    'list student | by student.first_name, student.last_name | where advisor.name = Brown',
  ],
  ['number of students per course', 'count_distinct(enrollment.student_id) | by course.title | key course'],
  ['courses with no students', 'list course | by course.title | where no enrollment'],
  [
    'which students did not enroll in any course in 2015',
    'list student | by student.first_name, student.last_name | where no enrollment (enrollment.enrolled_on >= 2015-01-01 & enrollment.enrolled_on < 2016-01-01)',
  ],
  ['teacher with the highest salary', 'list teacher | by teacher.name | order teacher.salary desc | limit 1'],
  ['How many courses have 3 credits?', 'count(course) | where course.credits = 3'],
  [
    'list titles of courses with more than 3 credits ordered by title',
    'list course | by course.title | where course.credits > 3 | order course.title asc',
  ],
  ['teachers who report to Brown', 'list teacher | by teacher.name | where head.name = Brown'],
  [
    'What is the age of Ann Lee?',
    'list student | by student.age | where student.first_name = Ann & student.last_name = Lee',
  ],
  ['teachers with the nickname "Zed"', 'list teacher | by teacher.name | where teacher.nickname = Zed'],
  [
    'students named Ann Kay',
    'list student | by student.first_name, student.last_name | where student.first_name = Ann & student.last_name = Kay',
  ],
  ['average salary and number of teachers by hometown', 'avg(teacher.salary), count(teacher) | by teacher.hometown'],
];

describe('a question over one wide table is read word by word', () => {
  test.each(SUPERSTORE)('%s', (question, brief) => expect(read(superstore, question)).toBe(brief));
});
describe('a question over two roles of one dataset uses the role its words name', () => {
  test.each(FLIGHTS)('%s', (question, brief) => expect(read(flights, question)).toBe(brief));
});
describe('a question over joined datasets never multiplies rows', () => {
  test.each(SHOP)('%s', (question, brief) => expect(read(shop, question)).toBe(brief));
});
describe('a question over a many-to-many relation uses semijoins', () => {
  test.each(SCHOOL)('%s', (question, brief) => expect(read(school, question)).toBe(brief));
});
