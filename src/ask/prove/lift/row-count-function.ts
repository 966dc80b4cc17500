/** An internal function for the number of rows of a table. Its argument is any column of that table. */
export const ROW_COUNT_FUNCTION = 'rows of';
