/** Requests at most `limit` rows of an ordered list, after the row with this key. */
export interface RowPage<Key = string> {
  limit: number;
  after: Key | null;
}
