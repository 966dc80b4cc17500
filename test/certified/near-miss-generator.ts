// Near misses and trivial rewordings of questions, made by rule.
//
// A base question is a template filled with a measure, a grouping, a value and a year of the lens. A near miss changes
// exactly one thing that changes the answer, by the smallest edit there is for it:
//   year       2016 -> 2015, "in" -> "since" / "before", or the year is dropped
//   direction  top <-> bottom, highest <-> lowest, more <-> less than
//   number     top 5 -> top 6, over 500 -> over 5000
//   measure    revenue -> profit -> quantity, average -> total
//   negation   in the West -> not in the West, except the West
//   grouping   by region -> by state, dropped, or a second one added
//   value      West -> East, Boston -> Chicago, from <-> to
//   grain      by month -> by quarter
//   sign       > -> <, a word of supposition (would, will, forecast)
// A trivial rewording changes nothing that is asked: case, punctuation, white space, plural or singular of the grouped
// noun, polite words around it, and the time moved to the front.
export interface Base {
  question: string;
  /** From kind of change to the questions that it makes. */
  misses: Record<string, string[]>;
  rewordings: Record<string, string[]>;
}
interface Words {
  measures: string[];
  /** Singular and plural of what is grouped by. */
  groups: [string, string][];
  /** Values with the words that lead to them. */
  values: [lead: string, value: string][];
  years: number[];
}

export const SUPERSTORE: Words = {
  measures: ['revenue', 'profit', 'quantity', 'average discount'],
  groups: [
    ['region', 'regions'],
    ['category', 'categories'],
    ['segment', 'segments'],
    ['state', 'states'],
    ['ship mode', 'ship modes'],
  ],
  values: [
    ['in the', 'West'],
    ['in the', 'East'],
    ['in', 'Texas'],
    ['in', 'California'],
  ],
  years: [2015, 2016, 2017],
};
export const FLIGHTS: Words = {
  measures: ['average delay', 'total distance', 'average distance'],
  groups: [
    ['origin city', 'origin cities'],
    ['destination state', 'destination states'],
  ],
  values: [
    ['from', 'Boston'],
    ['from', 'Chicago'],
    ['to', 'Boston'],
    ['to', 'Chicago'],
  ],
  years: [2000, 2001],
};

const next = <T>(list: T[], one: T): T => list[(list.indexOf(one) + 1) % list.length]!;

export function basesOf(words: Words): Base[] {
  const bases: Base[] = [];
  const { measures, groups, values, years } = words;
  for (const [m, measure] of measures.entries()) {
    const otherMeasure = next(measures, measure);
    for (const [g, group] of groups.entries()) {
      const [one, many] = group;
      const [other, others] = next(groups, group);
      const year = years[(m + g) % years.length]!;
      const otherYear = next(years, year);
      const pair = values[(m + g) % values.length]!;
      const [lead, value] = pair;
      const [otherLead, otherValue] = next(values, pair);
      bases.push({
        question: `What was ${measure} by ${one} in ${year}?`,
        misses: {
          year: [
            `What was ${measure} by ${one} in ${otherYear}?`,
            `What was ${measure} by ${one} since ${year}?`,
            `What was ${measure} by ${one} before ${year}?`,
            `What was ${measure} by ${one}?`,
          ],
          measure: [`What was ${otherMeasure} by ${one} in ${year}?`],
          grouping: [
            `What was ${measure} by ${other} in ${year}?`,
            `What was ${measure} in ${year}?`,
            `What was ${measure} by ${one} and ${other} in ${year}?`,
          ],
          value: [`What was ${measure} by ${one} in ${year} ${lead} ${value}?`],
          sign: [`What would ${measure} by ${one} in ${year} be?`, `What will ${measure} by ${one} in ${year} be?`],
        },
        rewordings: {
          ...plainly(`What was ${measure} by ${one} in ${year}?`),
          plural: [`What was ${measure} by ${many} in ${year}?`],
          order: [`In ${year}, what was ${measure} by ${one}?`],
        },
      });
      bases.push({
        question: `top 5 ${many} by ${measure}`,
        misses: {
          direction: [`bottom 5 ${many} by ${measure}`],
          number: [`top 6 ${many} by ${measure}`, `top 50 ${many} by ${measure}`],
          measure: [`top 5 ${many} by ${otherMeasure}`],
          grouping: [`top 5 ${others} by ${measure}`],
          value: [`top 5 ${many} by ${measure} ${lead} ${value}`],
        },
        rewordings: plainly(`top 5 ${many} by ${measure}`),
      });
      bases.push({
        question: `What was ${measure} by month ${lead} ${value} in ${year}?`,
        misses: {
          grain: [
            `What was ${measure} by quarter ${lead} ${value} in ${year}?`,
            `What was ${measure} by week ${lead} ${value} in ${year}?`,
          ],
          value: [
            `What was ${measure} by month ${otherLead} ${otherValue} in ${year}?`,
            `What was ${measure} by month in ${year}?`,
          ],
          negation: [
            `What was ${measure} by month not ${lead} ${value} in ${year}?`,
            `What was ${measure} by month except ${lead} ${value} in ${year}?`,
            `What was ${measure} by month outside ${value} in ${year}?`,
          ],
          year: [`What was ${measure} by month ${lead} ${value} in ${otherYear}?`],
        },
        rewordings: {
          ...plainly(`What was ${measure} by month ${lead} ${value} in ${year}?`),
          order: [`In ${year}, what was ${measure} by month ${lead} ${value}?`],
        },
      });
      bases.push({
        question: `Which ${one} had the highest ${measure} in ${year}?`,
        misses: {
          direction: [`Which ${one} had the lowest ${measure} in ${year}?`],
          measure: [`Which ${one} had the highest ${otherMeasure} in ${year}?`],
          grouping: [`Which ${other} had the highest ${measure} in ${year}?`],
          negation: [`Which ${one} had not the highest ${measure} in ${year}?`],
        },
        rewordings: {
          ...plainly(`Which ${one} had the highest ${measure} in ${year}?`),
          order: [`In ${year}, which ${one} had the highest ${measure}?`],
        },
      });
      bases.push({
        question: `${many} with ${measure} over 500`,
        misses: {
          direction: [`${many} with ${measure} under 500`, `${many} with ${measure} not over 500`],
          number: [`${many} with ${measure} over 5000`],
          measure: [`${many} with ${otherMeasure} over 500`],
        },
        rewordings: plainly(`${many} with ${measure} over 500`),
      });
      bases.push({
        question: `${many} where ${measure} > 500`,
        misses: { sign: [`${many} where ${measure} < 500`, `${many} where ${measure} >= 500`] },
        rewordings: {},
      });
    }
  }
  return bases;
}

function plainly(question: string): Record<string, string[]> {
  const bare = question.replace(/\?$/, '');
  const lower = bare.charAt(0).toLowerCase() + bare.slice(1);
  return {
    case: [question.toUpperCase(), question.toLowerCase()],
    punctuation: [bare, `${bare}.`, `${bare} ?!`],
    'white space': [` ${question.replaceAll(' ', '  ')} `],
    filler: [`Please show me ${lower}.`, `Hi, can you tell me ${lower}? Thanks!`],
  };
}
