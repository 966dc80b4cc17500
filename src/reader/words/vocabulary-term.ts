// Describes what a phrase can name in a lens.
import type { LensDefinition, LensField, LensMetric } from '../../lens/model/lens.ts';

export interface VocabularyField {
  kind: 'field';
  dataset: string;
  field: LensField;
  /**
   * How loosely the phrase matches. 0: the field's name or a synonym. 1: the field's name after its dataset's name. 2:
   * only the last word of the field's name.
   */
  loose: 0 | 1 | 2;
  /** The role that the phrase names, as in "origin city". */
  role?: string;
  /**
   * Set if the field stands for an entity without a dataset. For the entity "product", the identity of product_name is
   * `name`, and that of product_id is `key`.
   */
  identity?: 'name' | 'key';
}
export type VocabularyTerm =
  | { kind: 'metric'; metric: LensMetric }
  | { kind: 'dataset'; dataset: string; role?: string }
  | VocabularyField
  | { kind: 'names'; dataset: string; fields: LensField[] }
  | { kind: 'definition'; definition: LensDefinition };
