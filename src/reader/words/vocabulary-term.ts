// The entities that a phrase can name in a lens.
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';

export interface VocabularyField {
  kind: 'field';
  dataset: string;
  field: LensField;
  /**
   * 0 means the name or a synonym. 1 means the name after its dataset's name. 2 means only the last word of the name.
   */
  loose: 0 | 1 | 2;
  /** The role that the phrase names, as in "origin city". */
  role?: string;
  /** For the entity "product", `name` means product_name and `key` means product_id. */
  identity?: 'name' | 'key';
}
export type VocabularyTerm =
  | { kind: 'metric'; metric: LensMetric }
  | { kind: 'dataset'; dataset: string; role?: string }
  | VocabularyField
  | { kind: 'names'; dataset: string; fields: LensField[] }
  | { kind: 'definition'; definition: LensDefinition };
