// Whoever was hired before 2023 was there in 2023 too: the date on which something begins that lasts is no date of all who
// were there then.
import { spelledOut } from '../../lens/model/name-words.ts';
import { isTemporal } from '../words/datatypes.ts';
import { happens, isEvent } from './happens.ts';
import type { Placed, Settling } from './settle.ts';
import type { Cond } from './terms.ts';

const BEGUN =
  /^(?:hired?|hiring|join(?:ed|ing)?|enrol\w*|regist\w*|sign\w*|install\w*|opened|opening|founded|founding|creat\w*|insert\w*|added|entered|entry|intro\w*|launch\w*|start\w*|begin\w*|began|since|acqui\w*|admi(?:tted|ssion)|establish\w*|built|onboard\w*|commission(?:ed|ing))$/;
const ENDED =
  /^(?:end(?:s|ed|ing)?|cancel\w*|clos\w*|finish\w*|expir\w*|terminat\w*|resolv\w*|left|leav\w*|retir\w*|discharg\w*|churn\w*|complet\w*|until)$/;
const STATE = /(?:^|_)(?:status|state|stage|phase)$/;

const isCalled = (name: string, by: RegExp): boolean =>
  spelledOut(name)
    .split(' ')
    .some((word) => by.test(word));

/** Tells where a period was taken for the date on which what lasts began. */
export function tellBegun(s: Settling, { field, dataset }: Placed, text: string, conds: readonly Cond[]): void {
  const { name, timeField, fields } = dataset;
  if (field.name !== timeField || !isCalled(field.name, BEGUN)) return;
  const called = `the ${spelledOut(field.name)} of ${name.replaceAll('_', ' ')}`;
  const ends = fields.some(
    (one) => isTemporal(one.datatype) && !one.masked && one.name !== field.name && isCalled(one.name, ENDED),
  );
  const state = conds.find(
    (one) =>
      one.is === 'value' &&
      one.value.any.every(({ options }) =>
        options.some((option) => option.dataset === name && STATE.test(option.field.name)),
      ),
  );
  if (ends && state?.is === 'value') {
    s.doubt(`"${text}" was taken for ${called}; "${state.value.text}" is as it is now, not as it was then.`);
    return;
  }
  const ofMetric = s.usual?.dataset === name && s.usual.field === field.name;
  if (isEvent(name) || ((!ends || ofMetric) && happens(s.vocabulary, dataset))) return;
  s.doubt(`"${text}" was taken for ${called}: what began before and still lasted is not among them.`);
}
