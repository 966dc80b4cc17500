// German words of dates, folded, by the calendar's own.
const CALENDAR = `
january: januar jan, february: februar feb, march: marz, april: april apr, may: mai, june: juni jun, july: juli jul,
august: august aug, september: september sep sept, october: oktober okt, november: november nov, december: dezember dez,
day: tag, week: woch kalenderwoch, month: monat, quarter: quartal, half: halbjahr, year: jahr kalenderjahr,
first: erst, second: zweit, third: dritt, fourth: viert,
last: letzt vergang, previous: vorig vorher, this: dies, current: aktuell laufend, today: heut heute, yesterday: gestern gest,
between: zwischen zwisch, and: und, from: von, to: bis, since: seit ab, before: vor, after: nach, or: oder, later: spat,
earlier: fruh, in: in im, on: am, during: wahrend, the: der die das den dem, q1: q1, q2: q2, q3: q3, q4: q4, h1: h1, h2: h2`;

export const CALENDAR_WORDS: ReadonlyMap<string, string> = new Map(
  CALENDAR.split(',').flatMap((line) => {
    const [symbol, said] = line.trim().split(': ') as [string, string];
    return said.split(' ').map((one) => [one, symbol] as const);
  }),
);
