import type {
  DescribingContext,
  Description,
  MovingContext,
  ShowingContext,
  WritingContext,
} from '../fields/field-type.ts';
import type { Field, Tracker } from '../model.ts';

/** How a list works with one kind of values. Values are ids; none at all is the empty list. */
export interface BindRules {
  /** Whether values look the same to everybody for as long as the tracker does not change. */
  readonly isFixed: boolean;
  /** The stored ids of those that a request gives; refuses what is not a value of the field. */
  accept(field: Field, ids: readonly unknown[], context: WritingContext): Promise<readonly number[]>;
  /** The stored id that a text stands for: a label, a user name, the name of a group. */
  named(field: Field, text: string, context: WritingContext): Promise<number | undefined>;
  /** The stored id that means here what an id of a field of another tracker means there. */
  counterpart(field: Field, id: number, from: Field, context: MovingContext): Promise<number | undefined>;
  /** Elements of `values` in an answer, as JSON. */
  show(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  /** Elements of `bind_value_ids`, as JSON. */
  showIds(field: Field, value: readonly number[]): readonly string[];
  labels(field: Field, value: readonly number[], context: ShowingContext): readonly string[];
  describe(field: Field, context: DescribingContext): Promise<Description>;
  /** `bindings.list` of the tracker structure. */
  sources(
    field: Field,
    tracker: Tracker,
  ): readonly { readonly id: number | string; readonly label: string }[];
}
