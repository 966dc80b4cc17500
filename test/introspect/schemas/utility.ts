// An electricity supplier with a legacy system: uppercase abbreviations, and no declared keys.
import { day, pickNth, type Schema, times } from './schema.ts';

const INVOICES = times(50, (n) => n);

export const UTILITY: Schema = {
  name: 'utility',
  tables: {
    CUST_MST: {
      columns:
        'CUST_NO int, CUST_NM text, ADDR_LN1 text, TEL_NO text, BRTH_DT date, NATL_ID text, CUST_STS_CD text, CRT_DT ts, UPD_DT ts',
      rows: times(30, (n) => [
        ...[
          70000 + n,
          `Kunde ${n}`,
          `Hauptstr. ${n}`,
          `0301234${n}`,
          `19${50 + (n % 40)}-02-1${n % 9}`,
          `N${880000 + n}`,
        ],
        ...[pickNth(['A', 'I', 'X'], n), `${day(n)} 08:00:00`, `${day(400)} 03:00:00`],
      ]),
    },
    ZN: {
      columns: 'ZN_CD text, ZN_DESC text, TRF_RT dec',
      rows: [
        ['Z1', 'Inner city', 0.31],
        ['Z2', 'Suburbs', 0.29],
        ['Z3', 'Country', 0.33],
      ],
    },
    PRM_MST: {
      columns: 'PRM_NO int, CUST_NO int, ZN_CD text, PRM_ADDR text',
      rows: times(36, (n) => [n, 70001 + (n % 30), pickNth(['Z1', 'Z2', 'Z3'], n), `Site ${n}`]),
    },
    MTR_MST: {
      columns: 'MTR_NO text, PRM_NO int, MTR_TYP_CD int, INSTL_DT date, RMV_DT date',
      rows: times(36, (n) => [`M${1000 + n}`, n, 1 + (n % 3), day(n), n % 9 === 0 ? day(n + 200) : null]),
    },
    MTR_RDG: {
      columns: 'MTR_NO text, RDG_DT date, USG_KWH dec, VOLT_V dec',
      rows: times(36, (n) => n).flatMap((meter) =>
        times(3, (month) => [`M${1000 + meter}`, day(month * 30), 100 + meter + month, 230 + (month % 3)]),
      ),
    },
    INV_HDR: {
      columns:
        'INV_NO int, CUST_NO int, INV_DT date, DUE_DT date, PD_DT date, NET_AMT dec, TAX_RT dec, OPEN_BAL_AMT dec, PMT_METH_CD int',
      rows: INVOICES.map((n) => [
        ...[4000 + n, 70001 + (n % 30), day(n * 2), day(n * 2 + 14), n % 4 === 0 ? null : day(n * 2 + 9)],
        ...[80 + n, 0.19, n % 4 === 0 ? 80 + n : 0, 1 + (n % 4)],
      ]),
    },
    INV_LN: {
      columns: 'INV_NO int, LN_NO int, PRD_CD text, QTY dec, UNT_PRC dec, LN_AMT dec',
      rows: INVOICES.flatMap((n) =>
        times(1 + (n % 2), (line) => [4000 + n, line, pickNth(['P1', 'P2', 'P4'], n + line), 10 * line, 0.3, 3 * line]),
      ),
    },
    PRD_MST: {
      columns: 'PRD_CD text, PRD_DESC text, CAT_CD text',
      rows: times(5, (n) => [`P${n}`, `Product ${n}`, pickNth(['C1', 'C2'], n)]),
    },
    DEPT: {
      columns: 'DEPT_CD text, DEPT_NM text, HEAD_EMP_NO int',
      rows: times(4, (n) => [`D${n}`, `Department ${n}`, 20 + n]),
    },
    EMP: {
      columns: 'EMP_NO int, EMP_NM text, MGR_EMP_NO int, HIRE_DT date, TERM_DT date, SALARY_AMT dec, DEPT_CD text',
      rows: times(20, (n) => [
        ...[20 + n, `Worker ${n}`, n < 3 ? null : 21 + (n % 4), day(n * 9), n % 6 === 0 ? day(n * 9 + 90) : null],
        ...[3000 + 50 * n, `D${1 + (n % 4)}`],
      ]),
    },
    INV_ADJ: {
      // The invoices come from an older system. A few of the invoice numbers match, but most don't.
      columns: 'ADJ_NO int, INV_NO int, ADJ_DT date, ADJ_AMT dec, RSN_CD text',
      rows: times(20, (n) => [n, 4040 + n, day(n), -n, pickNth(['DUP', 'ERR'], n)]),
    },
  },
  expected: {
    joins: [
      'PRM_MST.CUST_NO -> CUST_MST.CUST_NO',
      'PRM_MST.ZN_CD -> ZN.ZN_CD',
      'MTR_MST.PRM_NO -> PRM_MST.PRM_NO',
      'MTR_RDG.MTR_NO -> MTR_MST.MTR_NO',
      'INV_HDR.CUST_NO -> CUST_MST.CUST_NO',
      'INV_LN.INV_NO -> INV_HDR.INV_NO',
      'INV_LN.PRD_CD -> PRD_MST.PRD_CD',
      'EMP.DEPT_CD -> DEPT.DEPT_CD',
      'EMP.MGR_EMP_NO -> EMP.EMP_NO',
      'DEPT.HEAD_EMP_NO -> EMP.EMP_NO',
    ],
    undecided: { 'INV_ADJ.INV_NO': /10 of 20/ },
    keys: {
      ...{ CUST_MST: ['CUST_NO'], ZN: ['ZN_CD'], PRM_MST: ['PRM_NO'], MTR_MST: ['MTR_NO'], INV_HDR: ['INV_NO'] },
      ...{ MTR_RDG: ['MTR_NO', 'RDG_DT'], INV_LN: ['INV_NO', 'LN_NO'], EMP: ['EMP_NO'], DEPT: ['DEPT_CD'] },
    },
    dates: {
      ...{ INV_HDR: 'INV_DT', EMP: 'HIRE_DT', MTR_RDG: 'RDG_DT', INV_ADJ: 'ADJ_DT', MTR_MST: 'INSTL_DT' },
      CUST_MST: 'CRT_DT',
    },
    adds: {
      ...{ 'MTR_RDG.USG_KWH': 'sum', 'MTR_RDG.VOLT_V': 'average', 'ZN.TRF_RT': 'average', 'INV_HDR.NET_AMT': 'sum' },
      ...{ 'INV_HDR.TAX_RT': 'average', 'INV_LN.UNT_PRC': 'average', 'INV_LN.LN_AMT': 'sum', 'INV_LN.QTY': 'sum' },
    },
    persons: [
      ...['CUST_MST.CUST_NM', 'CUST_MST.ADDR_LN1', 'CUST_MST.TEL_NO', 'CUST_MST.BRTH_DT', 'CUST_MST.NATL_ID'],
      ...['EMP.EMP_NM', 'EMP.SALARY_AMT'],
    ],
    codes: ['CUST_MST.CUST_STS_CD', 'MTR_MST.MTR_TYP_CD', 'INV_HDR.PMT_METH_CD', 'INV_ADJ.RSN_CD'],
    words: {
      ...{ 'CUST_MST.CUST_NM': 'customer name', 'CUST_MST.CUST_STS_CD': 'customer status code' },
      ...{ 'EMP.HIRE_DT': 'hire date', 'INV_LN.UNT_PRC': 'unit price', 'INV_HDR.PMT_METH_CD': 'payment method code' },
      ...{ 'MTR_MST.MTR_TYP_CD': 'meter type code', 'CUST_MST.ADDR_LN1': 'address line1' },
    },
  },
};
