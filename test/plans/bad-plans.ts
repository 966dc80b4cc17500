// Generates invalid plans from valid ones with a seed. Each has the path of its error and the names that svc should
// suggest.
import { caseRows } from '../support/case-rows.ts';
import { SeededChoices } from '../support/seeded.ts';
import { CASES } from './cases.ts';

export interface BadPlan {
  what: string;
  plan: Record<string, unknown>;
  /** The start of the path of the error. */
  path: string;
  /** svc must suggest one of these names. */
  neighbours: string[];
}
type Json = Record<string, unknown>;
type Kind = [what: string, plan: 'valid' | 'grouped' | Json, fault: Json, path: string, neighbours?: string[]];

const KINDS = caseRows<Kind>(import.meta.dirname, 'bad-plan-kinds.jsonl');
const NUMBERS = ['jobs.hours', 'jobs.price', 'visits.minutes', 'payments.amount', 'job_parts.quantity'];
const TEXTS = ['jobs.kind', 'clients.city', 'clients.client_name', 'parts.category', 'payments.method'];
const LISTS: Record<string, string[]> = {
  metrics: ['revenue', 'job_count', 'late_jobs', 'paid', 'price_per_hour', 'minutes_worked'],
  datasets: ['clients', 'jobs', 'parts', 'job_parts', 'mechanics', 'skills', 'visits', 'payments'],
  numbers: NUMBERS,
  fields: [...TEXTS, ...NUMBERS, 'jobs.opened', 'clients.joined', 'payments.paid_on'],
};

class BadPlans extends SeededChoices {
  make([what, base, fault, path, neighbours = []]: Kind): BadPlan {
    const plan =
      base === 'valid'
        ? (structuredClone(this.pick(CASES).plan) as Json)
        : structuredClone(
            base === 'grouped'
              ? { metrics: ['revenue'], dimensions: [this.pick(['jobs.kind', 'place.region', 'clients.city'])] }
              : base,
          );
    const misspelt: { meant: string; written: string }[] = [];
    const text = JSON.stringify(fault).replace(/(~?)\(([^()]+)\)/g, (_part, tilde: string, names: string) => {
      const name = this.pick(LISTS[names] ?? names.split('|'));
      if (!tilde) return name;
      const [, dataset, meant] = /^(.*\.)?(.*)$/.exec(name)!;
      misspelt.push({ meant: meant!, written: this.misspell(meant!) });
      return `${dataset ?? ''}${misspelt.at(-1)!.written}`;
    });
    let place = '';
    for (const [key, value] of Object.entries(JSON.parse(text) as Json)) {
      const list = key.slice(0, -1);
      if (key.endsWith('+')) {
        plan[list] = [...((plan[list] as unknown[] | undefined) ?? []), value];
        place = `${list}[${(plan[list] as unknown[]).length - 1}]`;
      } else plan[key] = value;
    }
    return {
      what,
      plan,
      path: path.replace(/^[+~]/, (mark) => (mark === '+' ? place : misspelt[0]!.written)),
      neighbours: [...neighbours, ...misspelt.map(({ meant }) => meant)],
    };
  }

  private misspell(word: string): string {
    const at = 1 + this.below(word.length - 2);
    const forms = [
      word.slice(0, at) + word.slice(at + 1),
      word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2),
      `${word.slice(0, at)}x${word.slice(at)}`,
    ].filter((form) => form !== word);
    return this.pick(forms);
  }
}

export const badPlans = (seed: number, count: number): BadPlan[] => {
  const maker = new BadPlans(seed);
  return Array.from({ length: count }, (_one, index) => maker.make(KINDS[index % KINDS.length]!));
};
