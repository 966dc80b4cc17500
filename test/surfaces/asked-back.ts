// Questions with several meanings, each with the options of its clarification.
import type { RefusedQuestion } from './refused-questions.ts';

export const askedBack: Pick<RefusedQuestion, 'lens' | 'q'>[] = [
  { lens: 'billing', q: 'How many invoices were there last month?' },
  { lens: 'billing', q: 'billed amount in March 2024' },
  { lens: 'billing', q: 'number of invoices by month' },
  { lens: 'billing', q: 'billed by state in 2024' },
  { lens: 'billing', q: 'billed by customer in the last 6 months' },
  { lens: 'billing', q: 'average invoice amount in 2024 by plan' },
  { lens: 'billing', q: 'What was billed to Alder Foods in 2024?' },
  { lens: 'billing', q: 'top 3 customers by billed amount in 2024' },
  { lens: 'billing', q: 'billed since March 2024 by status' },
  { lens: 'billing', q: 'active customers in Ohio' },
  { lens: 'billing', q: 'invoices per year' },
  { lens: 'billing', q: 'invoices before June 2024' },
  { lens: 'billing', q: 'how many customers by month' },
  { lens: 'superstore', q: 'margin by year in the West' },
  { lens: 'superstore', q: 'What was the margin of category Furnitur in 2016?' },
  { lens: 'flights', q: 'average delay by city' },
  { lens: 'flights', q: 'number of flights in Texs' },
  { lens: 'flights', q: 'flights by state' },
  { lens: 'flights', q: 'number of flights in New York by month' },
];
