import { useFormats, useMessages } from '../../messages/index.ts';
import { Button } from '../../ui/index.ts';
import type { FieldSettings, MinimalUserGroup } from '../calls.ts';
import type { Marks, Right } from './model.ts';
import styles from './permissions.module.css';

interface SaveBarProps {
  readonly fields: readonly FieldSettings[];
  readonly groups: readonly MinimalUserGroup[];
  readonly changes: Marks;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  onDiscard(): void;
  onSave(): void;
}

const mostTold = 3;

/** What is changed and not stored yet, as a sentence. */
export function SaveBar({ fields, groups, changes, isBusy, fault, onDiscard, onSave }: SaveBarProps) {
  const { trackerAdmin } = useMessages();
  const words = trackerAdmin.permissions;
  const formats = useFormats();
  const told = [...changes].slice(0, mostTold).map(([key, isGiven]) => {
    const [id = '', right = '', groupId = ''] = key.split(' ');
    const field = fields.find(({ field_id: one }) => String(one) === id)?.label ?? '';
    const group = groups.find((one) => one.id === groupId)?.label ?? '';
    const rightName = words.rights[isRight(right) ? right : 'read'];
    return isGiven ? words.gains(group, rightName, field) : words.loses(group, rightName, field);
  });
  return (
    <section className={styles['bar']} aria-label={words.unsaved}>
      <div className={styles['barWords']}>
        <strong>{words.changedCount(changes.size)}</strong>{' '}
        <span>
          {formats.list(told)}
          {changes.size > mostTold && ' …'}
        </span>
        {fault !== undefined && (
          <p role="alert" lang="en" className={styles['barFault']}>
            {fault}
          </p>
        )}
      </div>
      <Button kind="inverse" onPress={onDiscard}>
        {trackerAdmin.discard}
      </Button>
      <Button kind="inverse" isBusy={isBusy} onPress={onSave} className={styles['barSave'] ?? ''}>
        {trackerAdmin.save}
      </Button>
    </section>
  );
}

const isRight = (text: string): text is Right => text === 'read' || text === 'submit' || text === 'update';
