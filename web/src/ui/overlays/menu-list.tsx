import type { ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuProps as AriaMenuProps,
  MenuSection as AriaMenuSection,
  Popover as AriaPopover,
  Autocomplete,
  Header,
  Input,
  SearchField,
  Separator,
  useFilter,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import { Key } from '../marks/key.tsx';
import type { MenuItemProps, MenuProps } from './menu.tsx';
import type { Opening } from './opening.tsx';
import styles from './overlays.module.css';

type ListProps<T extends object> = Omit<MenuProps<T>, 'trigger' | 'isOpen' | 'onOpenChange'> & {
  opening: Opening;
};

/** What a menu shows when it is open. */
export function MenuList<T extends object>(props: ListProps<T>) {
  const { opening, search, placement = 'bottom start', ...rest } = props;
  const menu = {
    ...(rest['aria-label'] === undefined ? { 'aria-labelledby': opening.id } : {}),
    autoFocus: opening.beginning ?? true,
    onClose: opening.close,
    ...rest,
  };
  return (
    <AriaPopover
      className={classes(styles['popover'], styles['menuPopover'])}
      placement={placement}
      offset={4}
      trigger="MenuTrigger"
      triggerRef={opening.button}
      aria-labelledby={opening.id}
      isOpen={opening.isDrawn}
      onOpenChange={opening.close}
    >
      {search === undefined ? <Entries {...menu} /> : <Searched words={search} menu={menu} />}
    </AriaPopover>
  );
}

function Entries<T extends object>(props: Omit<AriaMenuProps<T>, 'className'>) {
  const { ui } = useMessages();
  return (
    <AriaMenu
      // Escape closes; what was chosen stays.
      escapeKeyBehavior="none"
      {...props}
      className={styles['menu'] ?? ''}
      renderEmptyState={() => <div className={styles['empty']}>{ui.nothingFound}</div>}
    />
  );
}

function Searched<T extends object>({
  words,
  menu,
}: {
  words: string;
  menu: Omit<AriaMenuProps<T>, 'className'>;
}) {
  const { contains } = useFilter({ sensitivity: 'base', ignorePunctuation: true });
  return (
    <Autocomplete filter={contains}>
      <MenuSearch words={words} />
      <Entries {...menu} />
    </Autocomplete>
  );
}

/** The box on top of a list that is searched by typing. */
function MenuSearch({ words }: { words: string }) {
  return (
    <SearchField aria-label={words} autoFocus className={styles['menuSearch'] ?? ''}>
      <Icon name="search" />
      <Input placeholder={words} />
    </SearchField>
  );
}

export function ListedItem({
  icon,
  mark,
  keys,
  second,
  reasonNot,
  isDanger,
  isSet,
  children,
  ...rest
}: MenuItemProps) {
  const refused = reasonNot !== undefined && reasonNot !== null;
  return (
    <AriaMenuItem
      textValue={children}
      {...rest}
      isDisabled={refused}
      className={classes(styles['item'], isDanger === true && styles['danger'])}
    >
      {({ isSelected }) => (
        <>
          {icon && <Icon name={icon} />}
          {mark}
          <span className={styles['words']}>{children}</span>
          {(second !== undefined || refused) && (
            <span className={styles['second']}>{reasonNot ?? second}</span>
          )}
          {keys !== undefined && <Key keys={keys} />}
          {(isSelected || isSet === true) && <Icon name="check" className={styles['check'] ?? ''} />}
        </>
      )}
    </AriaMenuItem>
  );
}

export function ListedSection({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <AriaMenuSection {...(name === undefined ? { 'aria-label': ' ' } : {})}>
      {name !== undefined && <Header className={styles['sectionName'] ?? ''}>{name}</Header>}
      {children}
    </AriaMenuSection>
  );
}

export function ListedSeparator() {
  return <Separator className={styles['separator'] ?? ''} />;
}
