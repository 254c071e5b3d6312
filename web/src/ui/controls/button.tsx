import { type ReactNode, type Ref, useState } from 'react';
import {
  Button as AriaButton,
  type ButtonProps as AriaButtonProps,
  Link,
  type LinkProps,
  type PressEvent,
} from 'react-aria-components';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import { Tooltip } from '../overlays/tooltip.tsx';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger' | 'destroy' | 'inverse';
/** 26 in bars, 30 in pages, 36 in forms that stand alone; all are 44 on touch screens. */
export type ButtonSize = 'small' | 'medium' | 'large';

type Look = {
  kind?: ButtonKind;
  size?: ButtonSize;
  icon?: IconName;
  /** A chevron at the end: it opens a list. */
  opens?: boolean;
  children?: ReactNode;
  className?: string;
};

export type ButtonProps = Look &
  Omit<AriaButtonProps, 'children' | 'className' | 'isDisabled' | 'onPress'> & {
    isDisabled?: boolean;
    /** Why it cannot be used: the button is off, and says so when it is pointed at or focused. */
    reasonNot?: string | null;
    /** Words stay, a line runs below, and a second press does nothing. */
    isBusy?: boolean;
    /** With a promise of it being done, the button is busy until then. */
    onPress?: ((event: PressEvent) => unknown) | undefined;
    ref?: Ref<HTMLButtonElement>;
  };

function look({ kind = 'plain', size = 'medium', className }: Look, off = false): string {
  return classes(styles['button'], styles[kind], styles[size], off && styles['off'], className);
}

/** Whether what a press began is under way. */
function usePress({ isBusy = false, onPress }: Pick<ButtonProps, 'isBusy' | 'onPress'>) {
  const [isDoing, setDoing] = useState(false);
  const press = (event: PressEvent) => {
    const deed = onPress?.(event);
    if (!(deed instanceof Promise)) return;
    setDoing(true);
    void deed.finally(() => setDoing(false));
  };
  return [isBusy || isDoing, press] as const;
}

export function Button(props: ButtonProps) {
  const { kind, size, icon, opens, children, className, reasonNot, isBusy: _, onPress: __, ...rest } = props;
  const [isPending, onPress] = usePress(props);
  const refused = reasonNot !== undefined && reasonNot !== null;
  const button = (
    <AriaButton
      {...rest}
      className={look({ kind, size, className }, refused)}
      isPending={isPending}
      {...(refused ? { 'aria-disabled': true, type: 'button' } : { onPress })}
    >
      <Content icon={icon} opens={opens}>
        {children}
      </Content>
    </AriaButton>
  );
  return refused ? <Tooltip text={reasonNot}>{button}</Tooltip> : button;
}

function Content({ icon, opens, children }: Pick<Look, 'icon' | 'opens' | 'children'>) {
  return (
    <>
      {icon && <Icon name={icon} />}
      {children}
      {opens && <Icon name="chevron-down" size={14} className={styles['chevron'] ?? ''} />}
    </>
  );
}

export type LinkButtonProps = Look & Omit<LinkProps, 'children' | 'className'>;

/** Looks like a button and is a link: it can be opened in another tab. */
export function LinkButton({ kind, size, icon, opens, children, className, ...rest }: LinkButtonProps) {
  return (
    <Link {...rest} className={look({ kind, size, className })}>
      <Content icon={icon} opens={opens}>
        {children}
      </Content>
    </Link>
  );
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'opens' | 'icon' | 'reasonNot'> & {
  icon: IconName;
  label: string;
  /** The key that does the same. */
  keys?: string;
  reasonNot?: string | null;
  iconSize?: number;
  children?: ReactNode;
};

export function IconButton(props: IconButtonProps) {
  const {
    icon,
    label,
    keys,
    kind = 'quiet',
    size,
    className,
    reasonNot,
    isBusy: _,
    onPress: __,
    iconSize,
    children,
    ...rest
  } = props;
  const [isPending, onPress] = usePress(props);
  const refused = reasonNot !== undefined && reasonNot !== null;
  return (
    <Tooltip text={refused ? reasonNot : label} keys={refused ? undefined : keys}>
      <AriaButton
        {...rest}
        aria-label={label}
        className={classes(look({ kind, size, className }, refused), styles['square'])}
        isPending={isPending}
        {...(refused ? { 'aria-disabled': true, type: 'button' } : { onPress })}
      >
        <Icon name={icon} size={iconSize ?? 16} />
        {children}
      </AriaButton>
    </Tooltip>
  );
}
