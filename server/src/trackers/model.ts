/* What trackers and their fields are: types and pure rules. A field and its type name each other, so that both are in `field-type.ts`. */

export type { Field, Tracker } from './field-type.ts';
export {
  type Bind,
  type BindKind,
  type FieldPermission,
  type FieldSemantic,
  fieldPermissions,
  type Grants,
  type KeptSettings,
  type ListValue,
  noneValue,
  type ProgressSemantic,
  type ProjectReference,
  type Properties,
  type SemanticName,
  type Semantics,
  type StatusSemantic,
  type StoredBind,
  submitters,
  type TimeframeSemantic,
  type TrackerPermission,
  trackerPermissions,
} from './tracker-parts.ts';
