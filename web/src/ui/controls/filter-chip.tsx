import { Button as AriaButton } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { Icon } from '../icons/icon.tsx';
import styles from './tabs.module.css';

export type FilterChipProps = {
  field: string;
  operator: string;
  value: string;
  /** True where its value is none. */
  isWrong?: boolean;
  /** Its own name, as screen readers say it: `Status is not Closed`. */
  label: string;
  onPress?: () => void;
  onRemove?: () => void;
};

/** A filter: field and operator stand back, the value is read first. */
export function FilterChip({ field, operator, value, isWrong, label, onPress, onRemove }: FilterChipProps) {
  const { ui } = useMessages();
  return (
    <span className={styles['filter']} data-wrong={isWrong || undefined}>
      <AriaButton className={styles['filterWords'] ?? ''} aria-label={label} onPress={onPress}>
        <span>
          {field} {operator}
        </span>
        <span className={styles['filterValue']}>
          {isWrong && <Icon name="alert-circle" size={13} />}
          <span className={styles['filterText']}>{value}</span>
        </span>
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
