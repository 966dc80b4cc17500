import { isNumeric, isTemporal } from '../../contract/warehouse.ts';

export const findDatatypeKind = (datatype: string): 'date' | 'number' | 'flag' | 'text' => {
  if (isTemporal(datatype)) return 'date';
  if (isNumeric(datatype)) return 'number';
  return datatype === 'boolean' ? 'flag' : 'text';
};
