/** What forms are built of. */
export {
  type AddableElement,
  addableElements,
  elementName,
  type FormElementType,
  type FormProperty,
  fieldOfSettings,
  fieldsFor,
  formElementType,
} from '../fields/index.ts';
