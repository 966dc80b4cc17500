/** A page of an ordered list: at most `limit` rows after the row with this key. */
export interface RowPage<Key = string> {
  limit: number;
  after: Key | null;
}
