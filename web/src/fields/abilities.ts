/*
 * What fields can do, for those who do not know types: nobody outside of here writes the name of one.
 */
import { isBoundToPeople } from './choice.ts';
import type { Field, FieldContent } from './model.ts';
import { fieldTypes } from './types.ts';

/** A field, or a value of one. */
type Typed = { readonly type: string };

export const holds = ({ type }: Typed, content: FieldContent): boolean => fieldTypes[type]?.holds === content;

/** The first that holds it: a form has one field of links, and files go to the first of theirs. */
export const fieldHolding = <Item extends Typed>(items: readonly Item[], content: FieldContent) =>
  items.find((item) => holds(item, content));

export const isOfPeople = (field: Field): boolean =>
  fieldTypes[field.type]?.isPerson === true || isBoundToPeople(field);
