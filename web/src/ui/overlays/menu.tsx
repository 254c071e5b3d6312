import type { ReactElement, ReactNode } from 'react';
import {
  Menu as AriaMenu,
  MenuItem as AriaMenuItem,
  type MenuItemProps as AriaMenuItemProps,
  type MenuProps as AriaMenuProps,
  MenuSection as AriaMenuSection,
  Popover as AriaPopover,
  Autocomplete,
  Header,
  Input,
  MenuTrigger,
  SearchField,
  Separator,
  useFilter,
} from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import { Key } from '../marks/key.tsx';
import styles from './overlays.module.css';

export type MenuProps<T extends object> = Omit<AriaMenuProps<T>, 'className'> & {
  /** The button that opens it. */
  trigger: ReactElement;
  /** A box to search in on top: from 8 entries on. Its words say what is searched. */
  search?: string | undefined;
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top';
  isOpen?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
};

export function Menu<T extends object>(props: MenuProps<T>) {
  const { trigger, search, placement = 'bottom start', isOpen, onOpenChange, ...menu } = props;
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
      {trigger}
      <AriaPopover
        className={classes(styles['popover'], styles['menuPopover'])}
        placement={placement}
        offset={4}
      >
        {search === undefined ? <Entries {...menu} /> : <Searched words={search} menu={menu} />}
      </AriaPopover>
    </MenuTrigger>
  );
}

function Entries<T extends object>(props: Omit<AriaMenuProps<T>, 'className'>) {
  const { ui } = useMessages();
  return (
    <AriaMenu
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
export function MenuSearch({ words }: { words: string }) {
  return (
    <SearchField aria-label={words} autoFocus className={styles['menuSearch'] ?? ''}>
      <Icon name="search" />
      <Input placeholder={words} />
    </SearchField>
  );
}

export type MenuItemProps = Omit<AriaMenuItemProps, 'children' | 'className' | 'isDisabled'> & {
  icon?: IconName;
  /** A mark in place of the icon: a ring, a dot, a face. */
  mark?: ReactNode;
  keys?: string | undefined;
  /** What it asks for, or why it cannot be chosen. */
  second?: string | undefined;
  reasonNot?: string | null | undefined;
  isDanger?: boolean;
  /** Shows a check: this is what is set now. */
  isSet?: boolean;
  children: string;
};

export function MenuItem({
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

export function MenuSection({ name, children }: { name?: string; children: ReactNode }) {
  return (
    <AriaMenuSection {...(name === undefined ? { 'aria-label': ' ' } : {})}>
      {name !== undefined && <Header className={styles['sectionName'] ?? ''}>{name}</Header>}
      {children}
    </AriaMenuSection>
  );
}

export function MenuSeparator() {
  return <Separator className={styles['separator'] ?? ''} />;
}
