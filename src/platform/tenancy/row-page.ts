/** At most `limit` rows after the row with the key `after`. */
export interface RowPage<Key = string> {
  limit: number;
  after: Key | null;
}
