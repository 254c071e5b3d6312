import type { Tracker } from '@atelier/client/routes';
import { useEffect, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { Button, Dialog } from '../../ui/index.ts';
import { savedView, type View } from '../view.ts';
import type { ViewKind } from '../views.ts';
import { type Overtaken, wholeQuery } from './calls.ts';
import styles from './saving.module.css';

export interface OvertakenDialogProps {
  readonly tracker: Tracker;
  readonly view: View;
  readonly kind: ViewKind;
  readonly overtaken: Overtaken;
  onTheirs(): void;
  onMine(): void;
  /** Neither yet: one goes on with one's own. */
  onClose(): void;
}

/** What a view looks for, and how a table shows it, in words. */
function InWords({
  tracker,
  view,
  isTable,
  isInSearch,
}: {
  readonly tracker: Tracker;
  readonly view: View;
  readonly isTable: boolean;
  readonly isInSearch: boolean;
}) {
  const { saving } = useMessages();
  const [query, setQuery] = useState('');
  useEffect(() => {
    const written = () => view.query;
    void wholeQuery(tracker, view).then(setQuery, () => setQuery(written()));
  }, [tracker, view]);
  const labelOf = (name: string) => tracker.fields.find((field) => field.name === name)?.label ?? name;
  const order = view.sort.map(({ name, isDescending }) => `${labelOf(name)} ${isDescending ? '↓' : '↑'}`);
  return (
    <dl className={styles['view']}>
      {isInSearch && (
        <>
          <dt>{saving.search}</dt>
          <dd>{query === '' ? saving.everything : <code>{query}</code>}</dd>
        </>
      )}
      {isTable && (
        <>
          <dt>{saving.columns}</dt>
          <dd>{view.columns.map(({ name }) => labelOf(name)).join(', ')}</dd>
          <dt>{saving.order}</dt>
          <dd>{order.length === 0 ? saving.noOrder : order.join(', ')}</dd>
        </>
      )}
    </dl>
  );
}

/** Both versions of a view, when somebody else saved the same of it first. */
export function OvertakenDialog(props: OvertakenDialogProps) {
  const { tracker, view, kind, overtaken, onTheirs, onMine, onClose } = props;
  const { saving } = useMessages();
  const { theirs, isInSearch } = overtaken;
  const shown = { tracker, isTable: kind === 'table', isInSearch };
  return (
    <Dialog
      title={saving.overtaken}
      isOpen
      isDismissable={false}
      onClose={onClose}
      role="alertdialog"
      width="medium"
      buttons={
        <>
          <Button onPress={onTheirs}>{saving.takeTheirs}</Button>
          <Button kind="primary" onPress={onMine}>
            {saving.saveMine}
          </Button>
        </>
      }
    >
      <p>{saving.overtakenWords}</p>
      {isInSearch || kind === 'table' ? (
        <div className={styles['both']}>
          <section aria-label={saving.theirs}>
            <h3>{saving.theirs}</h3>
            <InWords {...shown} view={savedView(tracker, theirs)} />
          </section>
          <section aria-label={saving.mine}>
            <h3>{saving.mine}</h3>
            <InWords {...shown} view={view} />
          </section>
        </div>
      ) : (
        <p>{saving.shownOtherwise}</p>
      )}
    </Dialog>
  );
}
