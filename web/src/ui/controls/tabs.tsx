import type { ReactNode } from 'react';
import {
  Tab as AriaTab,
  TabList as AriaTabList,
  TabPanel as AriaTabPanel,
  Tabs as AriaTabs,
  type TabsProps,
  ToggleButton,
  ToggleButtonGroup,
} from 'react-aria-components';
import { classes } from '../classes.ts';
import { Icon } from '../icons/icon.tsx';
import type { IconName } from '../icons/names.ts';
import styles from './tabs.module.css';

export type TabName = { id: string; name: string; icon?: IconName; count?: ReactNode; href?: string };

/** Parts of a page; `TabPanel`s with the same ids follow as children. */
export function Tabs({
  label,
  tabs,
  children,
  className,
  ...rest
}: Omit<TabsProps, 'children' | 'className'> & {
  label: string;
  tabs: readonly TabName[];
  children?: ReactNode;
  className?: string;
}) {
  return (
    <AriaTabs {...rest} className={classes(styles['tabs'], className)}>
      <AriaTabList aria-label={label} className={styles['list'] ?? ''}>
        {tabs.map((tab) => (
          <AriaTab key={tab.id} id={tab.id} href={tab.href} className={styles['tab'] ?? ''}>
            {tab.icon && <Icon name={tab.icon} />}
            {tab.name}
            {tab.count !== undefined && <span className={styles['count']}>{tab.count}</span>}
          </AriaTab>
        ))}
      </AriaTabList>
      {children}
    </AriaTabs>
  );
}

export function TabPanel({
  id,
  children,
  className,
}: {
  id: string;
  children: ReactNode;
  className?: string;
}) {
  return (
    <AriaTabPanel id={id} className={classes(styles['panel'], className)}>
      {children}
    </AriaTabPanel>
  );
}

export type SegmentedProps = {
  label: string;
  options: readonly { id: string; name: string; icon?: IconName }[];
  value: string;
  onChange: (id: string) => void;
};

/** One of a few, all of them seen. */
export function Segmented({ label, options, value, onChange }: SegmentedProps) {
  return (
    <ToggleButtonGroup
      aria-label={label}
      className={styles['segmented'] ?? ''}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[value]}
      onSelectionChange={(keys) => {
        const [key] = keys;
        if (key !== undefined) onChange(String(key));
      }}
    >
      {options.map((option) => (
        <ToggleButton key={option.id} id={option.id} className={styles['segment'] ?? ''}>
          {option.icon && <Icon name={option.icon} />}
          {option.name}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  );
}
