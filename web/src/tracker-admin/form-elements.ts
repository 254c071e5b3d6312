/** What forms are built of. */
export {
  type AddableElement,
  actionTypeOf,
  addableElements,
  elementName,
  type FormElementType,
  type FormProperty,
  fieldOfSettings,
  fieldsFor,
  formElementType,
  newElements,
} from '../fields/index.ts';
