import { blockOf, getterOf, lengthOf, offsetOf, type Field, type Getter } from "../../../modules/jk-bms/fields";
import type { BlockType } from "../../../modules/jk-bms/types";

export interface FieldShape {
  readonly block: BlockType;
  readonly offset: number;
  readonly length: number;
  /** Undefined for a text. */
  readonly getter: Getter | undefined;
}

/** What a field's number says. */
export const shapeOf = (field: Field): FieldShape => ({
  block: blockOf(field),
  offset: offsetOf(field),
  length: lengthOf(field),
  getter: getterOf(field),
});
