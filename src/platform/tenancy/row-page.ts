/** At most `limit` rows of an ordered list, after the one with this key. */
export interface RowPage<Key = string> {
  limit: number;
  after: Key | null;
}
