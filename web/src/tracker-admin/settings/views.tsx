import type { Tracker } from '@atelier/client/routes';
import { Link } from 'react-aria-components';
import { useMessages } from '../../messages/index.ts';
import { notify, Problem, tellFault } from '../../shell/index.ts';
import { EmptyPlace, IconButton, Radio, RadioGroup, Skeleton } from '../../ui/index.ts';
import { notOvertaken } from '../calls.ts';
import { TypedField } from '../typed-field.tsx';
import { changeView, type Report, readViewName, removeView, useViews } from './calls.ts';
import styles from './settings.module.css';
import { Sheet } from './sheet.tsx';

/** `views`: saved views that everybody has, and the one that a tracker opens with. */
export function ViewsPage({ tracker }: { readonly tracker: Tracker }) {
  const { trackerAdmin } = useMessages();
  const { views: words } = trackerAdmin;
  const { data, error, refetch } = useViews(tracker.id);
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={6} className={styles['sheet'] ?? ''} />
    ) : (
      <Problem error={error} askAgain={() => void refetch()} />
    );
  const shared = data.filter(({ is_public: isPublic }) => isPublic);
  if (shared.length === 0)
    return (
      <div className={styles['sheet']}>
        <EmptyPlace icon="table" name={words.none}>
          {words.noneWords}
        </EmptyPlace>
      </div>
    );
  const remove = async ({ id, label }: Report) => {
    try {
      await removeView(tracker.id, id);
      notify({ text: words.removed(label) });
    } catch (refused) {
      tellFault(refused);
    }
  };
  const rename = (id: number) => async (label: string, replaced: string) => {
    const now = await readViewName(id);
    await notOvertaken(tracker.id, { now, replaced, value: label }, trackerAdmin);
    await changeView(tracker.id, id, { label });
  };
  return (
    <Sheet words={words.words}>
      <RadioGroup
        label={words.opens}
        value={String(shared.find(({ is_default: isDefault }) => isDefault)?.id ?? '')}
        onChange={(id) => void changeView(tracker.id, Number(id), { is_default: true }).catch(tellFault)}
      >
        {shared.map(({ id, label }) => (
          <Radio key={id} value={String(id)}>
            {label}
          </Radio>
        ))}
      </RadioGroup>
      <ul className={styles['views']}>
        {shared.map((report) => (
          <li key={report.id}>
            <TypedField
              aria-label={words.nameOf(report.label)}
              value={report.label}
              onStore={rename(report.id)}
            />
            <Link href={`/trackers/${tracker.id}?report=${report.id}`}>{words.open}</Link>
            <IconButton
              icon="trash"
              label={words.remove(report.label)}
              reasonNot={report.is_default ? words.isDefault : null}
              onPress={() => remove(report)}
            />
          </li>
        ))}
      </ul>
    </Sheet>
  );
}
