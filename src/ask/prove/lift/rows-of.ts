/** The internal function that stands for the number of rows of a table. Its argument is any column of that table. */
export const ROWS_OF = 'rows of';
