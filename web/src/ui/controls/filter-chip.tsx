import { Button as AriaButton } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './tabs.module.css';

export type FilterChipProps = {
  field: string;
  operator: string;
  value: string;
  /** Its own name, as screen readers say it: `Status is not Closed`. */
  label: string;
  onPress?: () => void;
  onRemove?: () => void;
};

/** A filter: field and operator stand back, the value is read first. */
export function FilterChip({ field, operator, value, label, onPress, onRemove }: FilterChipProps) {
  const { ui } = useMessages();
  return (
    <span className={styles['filter']}>
      <AriaButton className={styles['filterWords'] ?? ''} aria-label={label} onPress={onPress}>
        <span>
          {field} {operator}
        </span>
        <span className={styles['filterValue']}>{value}</span>
      </AriaButton>
      {onRemove && (
        <AriaButton
          className={styles['filterRemove'] ?? ''}
          aria-label={ui.remove(`${field} ${operator} ${value}`)}
          onPress={onRemove}
        >
          <Icon name="x" size={13} />
        </AriaButton>
      )}
    </span>
  );
}
