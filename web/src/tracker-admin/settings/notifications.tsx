import type { Tracker } from '@atelier/client/routes';
import { useMessages } from '../../messages/index.ts';
import { Problem, tellFault } from '../../shell/index.ts';
import { Checkbox, Radio, RadioGroup, Skeleton } from '../../ui/index.ts';
import { changeElement, useFormElements } from '../calls.ts';
import { changeTracker, useTrackerSettings } from './calls.ts';
import styles from './settings.module.css';
import { Section, Sheet } from './sheet.tsx';

const levels = ['0', '2', '1'] as const;

/** `notifications`: when mails are sent, and which fields name people who get them. */
export function NotificationsPage({ tracker }: { readonly tracker: Tracker }) {
  const { notifications: words } = useMessages().trackerAdmin;
  const { data: settings, error, refetch } = useTrackerSettings(tracker.id);
  const { data: elements } = useFormElements(tracker.id);
  if (settings === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  if (settings === undefined || elements === undefined)
    return <Skeleton lines={6} className={styles['sheet'] ?? ''} />;
  const people = elements.filter(
    ({ is_used: isUsed, is_removed: isRemoved, bind }) =>
      isUsed && !isRemoved && bind !== null && bind.type !== 'static',
  );
  return (
    <Sheet words={words.words}>
      <RadioGroup
        label={words.level}
        value={String(settings.notification_level)}
        onChange={(level) =>
          void changeTracker(tracker, { notification_level: Number(level) }).catch(tellFault)
        }
      >
        {levels.map((level) => (
          <Radio key={level} value={level} help={words.levels[level].words}>
            {words.levels[level].name}
          </Radio>
        ))}
      </RadioGroup>
      <Section name={words.fields}>
        <p className={styles['second']}>{people.length === 0 ? words.noFields : words.fieldsWords}</p>
        {people.map(({ field_id: id, label, has_notifications: tells }) => (
          <Checkbox
            key={id}
            isSelected={tells}
            onChange={(isOn) =>
              void changeElement(tracker.id, id, { has_notifications: isOn }).catch(tellFault)
            }
          >
            {label}
          </Checkbox>
        ))}
      </Section>
    </Sheet>
  );
}
