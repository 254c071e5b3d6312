export { ImportPage } from './later-csv.tsx';
export { TrackerPage } from './page.tsx';
export { type OfferedViews, offerViews, type ViewProps, type ViewSettings } from './views.ts';
