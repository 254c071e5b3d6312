export { RowStep, type StepWish } from './artifact-parts.tsx';
export { withPending } from './editing.ts';
export { ImportPage } from './later-csv.tsx';
export { Nothing } from './later-nothing.tsx';
export { TrackerPage } from './page.tsx';
export { Setting } from './setting.tsx';
export {
  type AskedSearch,
  addressOf,
  askedSearch,
  columnFields,
  fieldNamed,
  isNarrowed,
  titleField,
  type View,
} from './view.ts';
export { type OfferedViews, offerViews, type ViewProps, type ViewSettings } from './views.ts';
