/*
 * The administration of a project: `/projects/{shortname}/admin/…`.
 *
 * page.tsx          which page an address names: read it first
 * parts.tsx         what pages of an administration are made of, also those of the platform; paged.ts lists that are read page by page, save-text.ts files of them
 * typed.tsx         what is typed over what is stored, and what others stored meanwhile
 * details.tsx, access.tsx, members.tsx, groups.tsx, services.tsx, labels.tsx, link-types.tsx, references.tsx, webhooks.tsx, archive.tsx, history.tsx, trash.tsx   one page each
 */

export { ProjectAdminPage } from './page.tsx';
export { notKept, type Paged, usePaged } from './paged.ts';
export {
  AdminPart,
  Buttons,
  ChangeAndDelete,
  Confirm,
  CopyLine,
  Difference,
  Faint,
  FaultLine,
  type Faults,
  Filters,
  Form,
  FormDialog,
  faultsOf,
  Main,
  PagedPlace,
  Row,
  Section,
  ShownOnce,
  Table,
  UnsavedBar,
  useSending,
} from './parts.tsx';
export { saveText } from './save-text.ts';
export { Overtaken, useTyped } from './typed.tsx';
