// A chain of veterinary clinics: every column has the prefix of its table, and nothing is declared.
import { day, pickNth, type Schema, times } from './schema.ts';

export const VETERINARY: Schema = {
  name: 'veterinary',
  tables: {
    vtowner: {
      columns: 'vtownid int, vtownname text, vtownemail text, vtownphone text, vtowncity text, vtownsince date',
      rows: times(24, (n) => [
        ...[n, `Owner ${pickNth('ABCDEFGHIJKL'.split(''), n)}${n}`, `o${n}@pets.test`, `555-01${n}`],
        ...[pickNth(['Lyon', 'Nice', 'Lille'], n), day(n * 3)],
      ]),
    },
    vtanimal: {
      columns:
        'vtanid int, vtanownid int, vtanname text, vtanspecies text, vtanweightkg dec, vtanbirthdate date, vtanmotherid int',
      rows: times(40, (n) => [
        ...[
          n + 100,
          1 + (n % 24),
          pickNth(['Rex', 'Mia', 'Leo', 'Zoe', 'Max'], n),
          pickNth(['dog', 'cat', 'horse'], n),
        ],
        ...[3 + (n % 30), day(n), n % 4 === 0 ? 100 + n - 3 : null],
      ]),
    },
    vtvet: {
      columns: 'vtvetid int, vtvetname text, vtvethiredt date, vtvetleftdt date, vtvetbossid int, vtvetsalaryamt dec',
      rows: times(9, (n) => [
        ...[n + 500, `Dr ${pickNth(['Roy', 'Faure', 'Blanc'], n)} ${n}`, day(n * 20), n === 3 ? day(300) : null],
        ...[n === 1 ? null : n < 4 ? 501 : 502, 4000 + n * 100],
      ]),
    },
    vtdrug: {
      columns: 'vtdrgid int, vtdrgname text, vtdrgunitprice dec, vtdrgstockqty int',
      rows: times(12, (n) => [n, `Drug ${n}`, 2.5 * n, 10 * n]),
    },
    vtvisit: {
      columns:
        'vtvisid int, vtvisanid int, vtvisvetid int, vtvisdate date, vtvistempc dec, vtvisfeeamt dec, vtvisstatus int, vtvischangedts ts',
      rows: times(90, (n) => [
        ...[n + 9000, 101 + (n % 40), 501 + (n % 9), day(n), 38 + (n % 4) / 2],
        ...[40 + (n % 7) * 5, 1 + (n % 3), `${day(n + 30)} 02:00:00`],
      ]),
    },
    vtvisitdrug: {
      columns: 'vtvdvisid int, vtvddrgid int, vtvdqty int, vtvdlineamt dec',
      rows: times(120, (n) => [9001 + (n % 90), 1 + (Math.floor(n / 2) % 12), 1 + (n % 3), (1 + (n % 3)) * 2.5]).filter(
        ([visit, drug], at, all) => all.findIndex(([v, d]) => v === visit && d === drug) === at,
      ),
    },
  },
  expected: {
    joins: [
      'vtanimal.vtanownid -> vtowner.vtownid',
      'vtanimal.vtanmotherid -> vtanimal.vtanid',
      'vtvet.vtvetbossid -> vtvet.vtvetid',
      'vtvisit.vtvisanid -> vtanimal.vtanid',
      'vtvisit.vtvisvetid -> vtvet.vtvetid',
      'vtvisitdrug.vtvdvisid -> vtvisit.vtvisid',
      'vtvisitdrug.vtvddrgid -> vtdrug.vtdrgid',
    ],
    undecided: {},
    keys: {
      ...{ vtowner: ['vtownid'], vtanimal: ['vtanid'], vtvet: ['vtvetid'], vtdrug: ['vtdrgid'], vtvisit: ['vtvisid'] },
      ...{ vtvisitdrug: ['vtvdvisid', 'vtvddrgid'] },
    },
    dates: { vtowner: 'vtownsince', vtvet: 'vtvethiredt', vtvisit: 'vtvisdate' },
    adds: {
      ...{ 'vtvisit.vtvistempc': 'average', 'vtvisit.vtvisfeeamt': 'sum', 'vtdrug.vtdrgunitprice': 'average' },
      ...{ 'vtvisitdrug.vtvdqty': 'sum', 'vtvisitdrug.vtvdlineamt': 'sum' },
    },
    persons: [
      'vtowner.vtownname',
      'vtowner.vtownemail',
      'vtowner.vtownphone',
      'vtvet.vtvetname',
      'vtvet.vtvetsalaryamt',
    ],
    codes: ['vtvisit.vtvisstatus', 'vtanimal.vtanspecies'],
    words: { 'vtvet.vtvethiredt': 'hire date', 'vtvisit.vtvisfeeamt': 'fee amount', 'vtvisitdrug.vtvdqty': 'quantity' },
  },
};
