/** The number of rows of a table, by any column of it: what a count of groups' own rows is called in a meaning. */
export const ROWS_OF = 'rows of';
