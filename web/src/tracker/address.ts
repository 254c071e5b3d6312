import { useNavigate } from '@tanstack/react-router';
import { noFilters, writeColumns, writeFilters, writeSort } from '../kernel/filters.ts';
import { addressOf, type TableSearch, type View, type ViewChange, viewOf } from './view.ts';

export function useSetSearch() {
  const navigate = useNavigate();
  return (patch: TableSearch | ((before: TableSearch) => TableSearch), replace = false) => {
    const patchOf = typeof patch === 'function' ? patch : () => patch;
    const search = (before: TableSearch) => ({ ...before, ...patchOf(before) });
    void navigate({ to: '.', search, replace });
  };
}

/** Parts of a view as an address has them. */
function searchOf(view: Partial<View>, saved: View): TableSearch {
  const { filters, query, words, sort, group, columns, showsEmptyGroups } = view;
  return {
    ...(filters === undefined
      ? {}
      : { f: writeFilters(filters) || (saved.filters.length > 0 ? noFilters : undefined) }),
    ...(query === undefined ? {} : { q: query || (saved.query === '' ? undefined : noFilters) }),
    ...(words === undefined ? {} : { words: words || undefined }),
    ...(sort === undefined
      ? {}
      : { sort: writeSort(sort) || (saved.sort.length > 0 ? noFilters : undefined) }),
    ...('group' in view ? { group } : {}),
    ...(showsEmptyGroups === undefined ? {} : { empty: showsEmptyGroups ? '1' : undefined }),
    ...(columns === undefined ? {} : { cols: writeColumns(columns) }),
  };
}

/** Changes what is looked for; the address keeps what differs from what is saved. */
export function useChangeView(saved: View) {
  const set = useSetSearch();
  return (patch: ViewChange) =>
    set((before) => searchOf(typeof patch === 'function' ? patch(viewOf(saved, before)) : patch, saved));
}

/** Nothing that differs from the report. */
export const unchanged: TableSearch = {
  f: undefined,
  q: undefined,
  words: undefined,
  sort: undefined,
  cols: undefined,
  set: undefined,
};

/** Pixels of a window below which an artifact is opened as a page. */
const roomForPanel = 1100;

/** Opens an artifact beside what is seen, or as a page where there is no room. */
export function useOpen(isOneOpen: boolean) {
  const navigate = useNavigate();
  const set = useSetSearch();
  return (row: { readonly id: number }) => {
    if (window.innerWidth < roomForPanel) void navigate({ to: addressOf(row) });
    else set({ open: String(row.id) }, isOneOpen);
  };
}
