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
  tellFault,
  UnsavedBar,
  useSending,
} from './parts.tsx';
export { saveText } from './save-text.ts';
