// Groups of datatypes.
export const isNumeric = (datatype: string): boolean => ['integer', 'decimal', 'float'].includes(datatype);
export const isTemporal = (datatype: string): boolean => ['date', 'datetime', 'datetimetz'].includes(datatype);
