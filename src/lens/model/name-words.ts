// Splits database names into words: OrderDate becomes "order date", and cust_nm becomes "customer name".
import { LRUCache } from 'lru-cache';
import { type Datatype, isTemporal } from '../../contract/warehouse.ts';

const ASCII_SPELLINGS: Record<string, string> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th' };
/** Removes accents, so that Größe becomes grosse instead of gr_e. */
const removeAccents = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[ßæœøłđðþ]/gi, (letter) => ASCII_SPELLINGS[letter.toLowerCase()] ?? letter);

/** Caches results, because svc compares every name in a draft with every other name. */
const snakeCaseCache = new LRUCache<string, string>({ max: 20_000 });

/** Turns OrderDate, order-date and "Order Date" into order_date. */
export function toSnakeCase(name: string): string {
  const cachedName = snakeCaseCache.get(name);
  if (cachedName !== undefined) return cachedName;
  const result = computeSnakeCase(name);
  if (name.length < 100) snakeCaseCache.set(name, result);
  return result;
}

function computeSnakeCase(name: string): string {
  const words = removeAccents(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '');
  return /^[a-z_]/.test(words) ? words : `_${words}`;
}

const ABBREVIATIONS = new Map(
  `qty:quantity amt:amount cust:customer prod:product desc:description dt:date num:number nr:number no:number
  addr:address pct:percent cat:category dept:department emp:employee mgr:manager acct:account avg:average inv:invoice
  ord:order tot:total curr:currency ctry:country nm:name cd:code sts:status typ:type lvl:level lmt:limit cnt:count
  pmt:payment pymt:payment meth:method whse:warehouse supp:supplier rtn:return rsn:reason tkt:ticket rgn:region
  ctgry:category grp:group flg:flag actv:active crt:created upd:updated bal:balance prc:price trx:transaction
  txn:transaction vol:volume wt:weight hrs:hours mins:minutes secs:seconds yr:year mth:month mnth:month ccy:currency
  ln:line hdr:header mst:master unt:unit rt:rate pd:paid prd:product mtr:meter rdg:reading usg:usage trf:tariff
  zn:zone adj:adjustment instl:installation brth:birth natl:national tel:telephone phn:phone sal:salary nbr:number
  mfr:manufacturer loc:location org:organization descr:description usr:user msg:message val:value src:source
  strt:start vend:vendor rcpt:receipt req:request stk:stock dist:distance dur:duration lst:last frst:first
  prev:previous`
    .split(/\s+/)
    .map((pair) => pair.split(':') as [string, string]),
);
export const splitNameIntoWords = (name: string): string => toSnakeCase(name).split('_').filter(Boolean).join(' ');
/** Expands abbreviations. Returns a name without abbreviations unchanged. */
export const expandAbbreviations = (name: string): string =>
  splitNameIntoWords(name)
    .split(' ')
    .map((word) => word.replace(/^[a-z]+(?=\d*$)/, (letters) => ABBREVIATIONS.get(letters) ?? letters))
    .join(' ');

/**
 * Returns true if columns contain the period in which each row is valid, as in a table that keeps old versions of its
 * rows.
 */
export const hasValidityDates = (columns: readonly { name: string; datatype: Datatype | null }[]): boolean =>
  columns.filter(({ name, datatype }) => isTemporal(datatype) && VALIDITY_PATTERN.test(splitNameIntoWords(name)))
    .length > 1;
const VALIDITY_PATTERN = /\b(?:valid|validity|effective|eff|expiry|expiration)\b/;
