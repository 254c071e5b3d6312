import type { Field } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { useCommands } from '../shell/index.ts';

export interface KeyFields {
  readonly status?: Field | undefined;
  readonly assignee?: Field | undefined;
  readonly due?: Field | undefined;
  readonly priority?: Field | undefined;
  readonly labels?: Field | undefined;
}

const fieldKeys = [
  ['status', 's'],
  ['assignee', 'a'],
  ['due', 'd'],
  ['priority', 'p'],
  ['labels', 'l'],
] as const;

interface TableKeyActs {
  next(): void;
  previous(): void;
  open(): void;
  edit(): void;
  /** Edits the cell of one field of the row. */
  editField(field: Field): void;
  /** Fields that have a key of their own. */
  readonly fields: KeyFields;
  select(): void;
  selectAll(): void;
  readonly hasSelection: boolean;
  deselect(): void;
}

/** Arrows, Enter and Space are the grid's own, where it has the focus; these work everywhere on the page. */
export function useTableKeys({
  next,
  previous,
  open,
  edit,
  editField,
  fields,
  select,
  selectAll,
  hasSelection,
  deselect,
}: TableKeyActs): void {
  const { tracker: words } = useMessages();
  useCommands([
    { id: 'tracker.next', name: words.next, keys: 'j', run: next, isHidden: true },
    { id: 'tracker.previous', name: words.previous, keys: 'k', run: previous, isHidden: true },
    { id: 'tracker.open', name: words.open, keys: 'o', run: open },
    { id: 'tracker.edit', name: words.edit, keys: 'e', icon: 'pencil', run: edit },
    ...fieldKeys.flatMap(([name, keys]) => {
      const field = fields[name];
      if (field === undefined) return [];
      return [
        { id: `tracker.${name}`, name: words.editField(field.label), keys, run: () => editField(field) },
      ];
    }),
    { id: 'tracker.select', name: words.select, keys: 'x', icon: 'checkbox', run: select },
    { id: 'tracker.select-all', name: words.selectMatching, icon: 'checkbox', run: selectAll },
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
