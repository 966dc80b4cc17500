export const isNumeric = (datatype: string): boolean => ['integer', 'decimal', 'float'].includes(datatype);
export const isTemporal = (datatype: string): boolean => ['date', 'datetime', 'datetimetz'].includes(datatype);
export const findDatatypeKind = (datatype: string): 'date' | 'number' | 'flag' | 'text' => {
  if (isTemporal(datatype)) return 'date';
  if (isNumeric(datatype)) return 'number';
  return datatype === 'boolean' ? 'flag' : 'text';
};
