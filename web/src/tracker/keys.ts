import { useMessages } from '../messages/index.ts';
import { useCommands } from '../shell/index.ts';

export interface TableActs {
  next(): void;
  previous(): void;
  open(): void;
  edit(): void;
  select(): void;
  readonly hasSelection: boolean;
  deselect(): void;
}

/** Arrows, Enter and Space are the grid's own, where it has the focus; these work everywhere on the page. */
export function useTableKeys({
  next,
  previous,
  open,
  edit,
  select,
  hasSelection,
  deselect,
}: TableActs): void {
  const { tracker: words } = useMessages();
  useCommands([
    { id: 'tracker.next', name: words.next, keys: 'j', run: next, isHidden: true },
    { id: 'tracker.previous', name: words.previous, keys: 'k', run: previous, isHidden: true },
    { id: 'tracker.open', name: words.open, keys: 'o', run: open },
    { id: 'tracker.edit', name: words.edit, keys: 'e', icon: 'pencil', run: edit },
    { id: 'tracker.select', name: words.select, keys: 'x', icon: 'checkbox', run: select },
    ...(hasSelection
      ? [{ id: 'tracker.deselect', name: words.deselect, keys: 'escape', icon: 'x', run: deselect }]
      : []),
  ]);
}

export interface FilterActs {
  addFilter(): void;
  clearFilters(): void;
  search(): void;
}

export function useFilterKeys({ addFilter, clearFilters, search }: FilterActs): void {
  const { tracker: words } = useMessages();
  useCommands([
    { id: 'tracker.filter', name: words.addFilter, keys: 'f', icon: 'filter', run: addFilter },
    { id: 'tracker.clear-filters', name: words.clearFilters, keys: 'shift+f', run: clearFilters },
    { id: 'tracker.search', name: words.searchHere, keys: '/', icon: 'search', run: search },
  ]);
}

/** Ctrl Shift /, which keyboards tell as a question mark. */
export function useQueryKey(writeQuery: () => void): void {
  const { tracker: words } = useMessages();
  useCommands([
    { id: 'tracker.query', name: words.queryLabel, keys: 'mod+?', icon: 'code', run: writeQuery },
  ]);
}
