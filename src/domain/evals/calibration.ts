// How often answers were right by who read the question and what of: a grade is earned by what evals have shown on this
// lens of the models that read now, with the lower end of Wilson's interval, and lost by what evals or reviews show since.
import type { Envelope } from '../../contract/ask.ts';

export interface ReadingClass {
  read_by: 'planner' | 'model';
  plan: 'compiled' | 'model_sql';
  /** Whether a second reading came to the same; null: there was none. */
  agreed: boolean | null;
}
export interface Calibrated extends ReadingClass {
  right: number;
  of: number;
}
/** The models that read questions, at their addresses, and the words in which they are asked: what one has earned is no
 *  other's. */
export interface Reader {
  id: string;
  models: string[];
}
export const NO_READER: Reader = { id: 'none', models: [] };

/** Of one version of a lens. */
export interface ReadingRecord {
  /** The newest whole run of its evals for each reader. */
  shown: readonly { reader: Reader; classes: readonly Calibrated[] }[];
  /** Answers that a review found wrong; null: whose reading it was is not known, and it counts against each. */
  wrong: readonly { reader: string | null; read: ReadingClass }[];
}
export const NO_RECORD: ReadingRecord = { shown: [], wrong: [] };

export const recordOf = ({ shown, wrong }: ReadingRecord, { id }: Reader): Calibrated[] =>
  contradicted(
    shown.find(({ reader }) => reader.id === id)?.classes ?? [],
    wrong.filter(({ reader }) => reader === null || reader === id).map(({ read }) => read),
  );

export interface CalibrationRule {
  lowerBound: number;
  /** Those of which a model's reading may be graded verified. */
  classes: readonly string[];
  /** Who reads now. */
  reader: Reader;
}

/** Null: nobody read a question, or approval stands behind the answer. */
export function readingClassOf({ status, plan, checks, question }: ClassedEnvelope): ReadingClass | null {
  if (status !== 'answered' || question === null || (plan !== 'compiled' && plan !== 'model_sql')) return null;
  const outcome = checks.find(({ name }) => name === 'readings_agree')?.outcome;
  return {
    read_by: plan === 'model_sql' || checks.some(({ name }) => name === 'reading_earned') ? 'model' : 'planner',
    plan,
    agreed: outcome === 'pass' ? true : outcome === 'fail' ? false : null,
  };
}
export type ClassedEnvelope = Pick<Envelope, 'status' | 'plan' | 'checks' | 'question'>;

const keyOf = ({ read_by, plan, agreed }: ReadingClass): string => `${read_by} ${plan} ${agreed}`;

export function tallied(seen: readonly (ReadingClass & { right: boolean })[]): Calibrated[] {
  const classes = new Map<string, Calibrated>();
  for (const { right, ...one } of seen) {
    const known = classes.get(keyOf(one)) ?? { ...one, right: 0, of: 0 };
    classes.set(keyOf(one), { ...known, right: known.right + Number(right), of: known.of + 1 });
  }
  return [...classes.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}

/** What evals have shown, and beside it each answer that a review since has found wrong. */
export const contradicted = (shown: readonly Calibrated[], wrong: readonly ReadingClass[]): Calibrated[] =>
  tallied([
    ...shown.flatMap(({ right, of, ...one }) => Array.from({ length: of }, (_, at) => ({ ...one, right: at < right }))),
    ...wrong.map((one) => ({ ...one, right: false })),
  ]);

const Z = 1.96; // 95 %

export function lowerBound({ right, of }: Pick<Calibrated, 'right' | 'of'>): number {
  if (of === 0) return 0;
  const share = right / of;
  const centre = share + Z ** 2 / (2 * of);
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2));
  return Math.max(0, (centre - spread) / (1 + Z ** 2 / of));
}

export const className = ({ read_by, plan, agreed }: ReadingClass): string =>
  [read_by, plan === 'compiled' ? 'plan' : 'sql', ...(agreed === null ? [] : [agreed ? 'agreed' : 'disagreed'])].join(
    '_',
  );

export const isEarned = (
  one: Calibrated,
  { lowerBound: wanted, classes }: Pick<CalibrationRule, 'lowerBound' | 'classes'>,
): boolean => classes.includes(className(one)) && lowerBound(one) >= wanted;

export const calibrationView = (record: ReadingRecord, rule: CalibrationRule) =>
  recordOf(record, rule.reader).map((one) => ({
    ...one,
    lower_bound: Math.floor(lowerBound(one) * 10_000) / 10_000,
    earned: isEarned(one, rule),
  }));

/** As the operator's file has it. */
export const calibrationRule = (
  { calibration }: { calibration?: { lower_bound: number; classes: readonly string[] } | undefined },
  reader: Reader,
): CalibrationRule => ({
  lowerBound: calibration?.lower_bound ?? 0.95,
  classes: calibration?.classes ?? ['model_plan_agreed'],
  reader,
});
