import { ChoiceMark, type StatusStages } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { classes, Icon, IconButton, Menu, MenuItem, MenuSection, MenuSeparator } from '../ui/index.ts';
import type { Verdict } from './allowed.ts';
import styles from './board.module.css';
import type { Column } from './columns.ts';

/** Where a card can be moved by its menu. */
export interface CardMenuProps {
  readonly name: string;
  readonly columns: readonly { readonly value: Column; readonly name: string; readonly verdict: Verdict }[];
  readonly columnName: string;
  readonly stages: StatusStages | undefined;
  readonly mayRank: boolean;
  onMove(column: string): void;
  readonly isSelected: boolean;
  onSelect(): void;
  onEdge(edge: 'top' | 'bottom'): void;
  onOpen(): void;
  onClose(): void;
}

/** The button of a card; the menu itself is there once it is opened. */
export function CardMenu({
  label,
  isCurrent,
  menu,
  onOpen,
}: {
  readonly label: string;
  readonly isCurrent: boolean;
  readonly menu: CardMenuProps | undefined;
  readonly onOpen: () => void;
}) {
  if (menu === undefined)
    return (
      <button
        type="button"
        aria-label={label}
        aria-haspopup="menu"
        tabIndex={isCurrent ? 0 : -1}
        className={styles['more']}
        onClick={onOpen}
      >
        <Icon name="dots" />
      </button>
    );
  return <OpenMenu label={label} menu={menu} />;
}

const markOf = ({ values: [first] }: Column, stages: StatusStages | undefined) =>
  first?.choice && <ChoiceMark choice={first.choice} stages={stages} />;

const edges = { top: 'top', bottom: 'bottom' } as const;

function OpenMenu({ label, menu }: { readonly label: string; readonly menu: CardMenuProps }) {
  const { board: words } = useMessages();
  const choose = (key: string) => {
    menu.onClose();
    if (key === 'open') menu.onOpen();
    else if (key === 'select') menu.onSelect();
    else if (key === edges.top || key === edges.bottom) menu.onEdge(key);
    else menu.onMove(key.slice(1));
  };
  return (
    <Menu
      aria-label={words.moveTitle(menu.name)}
      placement="bottom end"
      isOpen
      onOpenChange={(isOpen) => !isOpen && menu.onClose()}
      onAction={(key) => choose(String(key))}
      trigger={
        <IconButton
          icon="dots"
          label={label}
          size="small"
          className={classes(styles['more'], styles['moreOpen'])}
        />
      }
    >
      <MenuSection name={words.moveTitle(menu.name)}>
        {menu.columns.map(({ value, name, verdict }) => (
          <MenuItem
            key={value.id}
            id={`=${value.id}`}
            mark={markOf(value, menu.stages)}
            reasonNot={verdict.isAllowed ? undefined : (verdict.reason ?? '')}
            second={verdict.asks}
          >
            {name}
          </MenuItem>
        ))}
      </MenuSection>
      <MenuSeparator />
      <MenuItem id={edges.top} icon="arrow-up" reasonNot={menu.mayRank ? undefined : words.mayNot}>
        {words.toTop(menu.columnName)}
      </MenuItem>
      <MenuItem id={edges.bottom} icon="arrow-down" reasonNot={menu.mayRank ? undefined : words.mayNot}>
        {words.toBottom(menu.columnName)}
      </MenuItem>
      <MenuItem id="select" icon="checkbox">
        {menu.isSelected ? words.deselectCard : words.select}
      </MenuItem>
      <MenuItem id="open" icon="arrows-diagonal">
        {words.open}
      </MenuItem>
    </Menu>
  );
}
