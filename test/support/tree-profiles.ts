// What of each engine the generated trees may use.
import type { TreeProfile } from './tree-generator.ts';

const type = (name: string, ...modifiers: string[]) => ({ name, modifiers, dimensions: [], fields: [] });
const words = (text: string): string[] => text.trim().split(/\s+/);

export const mysqlProfile: TreeProfile = {
  joins: [
    { how: 'inner' },
    { how: 'left' },
    { how: 'right' },
    { how: 'cross', bare: true },
    { how: 'inner', natural: true },
    { how: 'left', natural: true },
  ],
  patterns: ['like', 'regexp'],
  operations: [],
  arithmetic: ['+', '-', '*', '/', '//', '%'],
  compare: ['=', '<>', '<', '<=', '>', '>=', 'is not distinct from'],
  scalars: words('coalesce concat lower mod abs if date_add field json_extract'),
  aggregates: words('sum avg min max count std'),
  windows: words('row_number rank dense_rank'),
  bareCalls: words('current_date current_timestamp'),
  unitCalls: words('extract timestampdiff timestampadd'),
  units: words('MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'),
  interval: true,
  types: [
    type('signed'),
    type('char'),
    type('char', '10'),
    type('decimal', '10', '2'),
    type('datetime'),
    type('double'),
  ],
  typedLiterals: ['date', 'time', 'timestamp'],
  strings: ['', 'West', "it's", 'back\\slash', '100%', '-- no', '/* no', '"quoted"', 'ünï 漢 😀', '`', ';', "\\'"],
  names: words('a b orders region order select Not ünï x`y x"y 1st a.b s0 i0 mod as date interval like $x').concat(
    'two words',
    '漢字',
    '(',
    "it's",
  ),
  frames: ['rows', 'range'],
  setOperations: ['union', 'intersect', 'except'],
  rollup: 'last',
  collations: ['utf8mb4_bin', 'utf8mb4_general_ci'],
  separator: true,
  nullsOrder: false,
  filter: false,
  distinctOn: false,
  qualify: false,
  lateral: false,
  silentAsc: true,
};
