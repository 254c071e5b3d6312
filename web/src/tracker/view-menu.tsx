import type { Report } from '@atelier/client/routes';
import { useNavigate } from '@tanstack/react-router';
import { useMessages } from '../messages/index.ts';
import { IconButton, Menu, MenuItem, MenuSection } from '../ui/index.ts';

export interface ViewMenuProps {
  readonly reports: readonly Report[];
  readonly shown: number | undefined;
  readonly trackerId: number;
}

const searchedFrom = 8;

/** The saved views of a tracker: those for everybody, the default one first, and one's own. */
export function ViewMenu({ reports, shown, trackerId }: ViewMenuProps) {
  const { tracker: words } = useMessages();
  const navigate = useNavigate();
  const forAll = reports
    .filter(({ is_public }) => is_public)
    .sort((one, other) => Number(other.is_default) - Number(one.is_default));
  const mine = reports.filter(({ is_public }) => !is_public);
  const open = (id: string) =>
    void navigate({ to: '/trackers/$id', params: { id: String(trackerId) }, search: { report: id } });
  const entry = ({ id, label }: Report) => (
    <MenuItem key={id} id={String(id)} icon="table" isSet={id === shown}>
      {label}
    </MenuItem>
  );
  return (
    <Menu
      aria-label={words.views}
      search={reports.length >= searchedFrom ? words.views : undefined}
      onAction={(key) => open(String(key))}
      trigger={<IconButton icon="chevron-down" label={words.views} size="small" iconSize={14} />}
    >
      {forAll.length > 0 ? <MenuSection name={words.publicViews}>{forAll.map(entry)}</MenuSection> : null}
      {mine.length > 0 ? <MenuSection name={words.ownViews}>{mine.map(entry)}</MenuSection> : null}
    </Menu>
  );
}
