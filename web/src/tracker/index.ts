/*
 * A tracker as a table, and what is around every view of one.
 *
 * page.tsx          read it first; view.ts what is seen, and address.ts how an address says it; views.ts the ways to look (other-view.tsx)
 * view-bar.tsx, filter-bar.tsx, quick-filters.ts, setting.tsx, view-menu.tsx, query-box.tsx, query-help.ts, chips-and-query.ts   what narrows and arranges it; saving/, watching/
 * table.tsx         rows: row.tsx, head.tsx, groups.tsx, columns.ts, cards.tsx on small screens, nothing.tsx instead of any; edge-drag.ts, model.ts;
 *                   table-rows.ts which of them are there (scaled-rows.ts), column-room.ts which columns (sizes.ts), spot.ts where one stands among them,
 *                   grid-events.ts their own keys and the mouse, keys.ts those of the page; lasting.ts, turns.ts so that few of them are drawn at a time
 * cell-acts.ts, cell-editor.tsx, save-cell.ts, changed-rows.ts   changing values where they stand; selection.ts, bulk/ many at once; artifact-parts.tsx the panel beside them, and row-dialogs.tsx
 * live-rows.ts      rows follow what others do; patience.ts; csv/ tables of files; print.tsx
 *
 * What is here is loaded before the first row is seen: what can wait is behind a `later-*.tsx`.
 */

export { RowDialog, type StepWish } from './artifact-parts.tsx';
export { withPending } from './changed-rows.ts';
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
