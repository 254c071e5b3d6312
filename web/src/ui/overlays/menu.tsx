import { type ReactElement, type ReactNode, Suspense } from 'react';
import type { MenuItemProps as AriaMenuItemProps, MenuProps as AriaMenuProps } from 'react-aria-components';
import type { IconName } from '../icons/names.ts';
import { later } from '../later.ts';
import { Trigger, useOpening, useWasOpen } from './opening.tsx';

const list = later(() => import('./menu-list.tsx'));

export type MenuProps<T extends object> = Omit<AriaMenuProps<T>, 'className'> & {
  /** The button that opens it. */
  trigger: ReactElement;
  /** A box to search in on top: from 8 entries on. Its words say what is searched. */
  search?: string | undefined;
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top';
  isOpen?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
};

/** A list of acts or choices behind a button. Only the button is there from the start. */
export function Menu<T extends object>({ trigger, isOpen, onOpenChange, ...rest }: MenuProps<T>) {
  const opening = useOpening(isOpen, onOpenChange);
  const wasOpen = useWasOpen(opening.isOpen);
  return (
    <>
      <Trigger opening={opening} kind="menu">
        {trigger}
      </Trigger>
      {wasOpen && (
        <Suspense>
          <Opened {...rest} opening={opening} />
        </Suspense>
      )}
    </>
  );
}

function Opened<T extends object>(props: Parameters<typeof import('./menu-list.tsx').MenuList<T>>[0]) {
  const { MenuList } = list.use();
  return <MenuList {...props} />;
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

export function MenuItem(props: MenuItemProps) {
  const { ListedItem } = list.use();
  return <ListedItem {...props} />;
}

export function MenuSection(props: { name?: string; children: ReactNode }) {
  const { ListedSection } = list.use();
  return <ListedSection {...props} />;
}

export function MenuSeparator() {
  const { ListedSeparator } = list.use();
  return <ListedSeparator />;
}
