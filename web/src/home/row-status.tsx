import { type ReactNode, Suspense, useState } from 'react';
import {
  ChoiceMark,
  chosenIn,
  type Field,
  may,
  stageNamed,
  statusField,
  statusStages,
} from '../fields/index.ts';
import { loadAllWords, useMessages } from '../messages/index.ts';
import { useChangesOf, useTracker } from '../store/index.ts';
import { Button, EmptyDash, later, loadControls, NotSavedYet, StatusRing } from '../ui/index.ts';
import type { WorkArtifact } from './calls.ts';
import styles from './home.module.css';

export interface RowStatusProps {
  readonly artifact: WorkArtifact;
  readonly isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

export interface Shown {
  readonly name: string;
  readonly mark: ReactNode;
  readonly isPending: boolean;
}

export type ChangingProps = RowStatusProps & { readonly field: Field; readonly shown: Shown | undefined };

/** The status as it is seen: what is not stored yet, or what the list told. */
function useShown({ uri, tracker: { uri: trackerUri }, full_status: status, isClosed }: WorkArtifact) {
  const { thing: tracker } = useTracker(trackerUri);
  const field = tracker === undefined ? undefined : statusField(tracker);
  const pending = useChangesOf(uri)
    .flatMap(({ fields }) => fields)
    .findLast(({ fieldId }) => fieldId === field?.field_id);
  const values = pending?.value;
  const wanted =
    values === undefined || field === undefined
      ? undefined
      : chosenIn({ ...values, field_id: field.field_id, type: field.type, label: field.label })[0];
  const stages = tracker === undefined ? undefined : statusStages(tracker);
  const told = tracker === undefined ? undefined : stageNamed(tracker, status?.value ?? '');
  const stage = told ?? (isClosed === true ? 'done' : 'empty');
  const shown: Shown | undefined =
    wanted !== undefined
      ? { name: wanted.name, mark: <ChoiceMark choice={wanted} stages={stages} />, isPending: true }
      : status === null
        ? undefined
        : {
            name: status.value,
            mark: <StatusRing colour={status.color} stage={stage} />,
            isPending: pending !== undefined,
          };
  return { shown, field };
}

export function Words({ shown }: { readonly shown: Shown | undefined }) {
  if (shown === undefined) return <EmptyDash />;
  return (
    <>
      {shown.mark}
      <span className={styles['statusWords']}>{shown.name}</span>
      {shown.isPending && <NotSavedYet />}
    </>
  );
}

/** What the workflow allows is known to the room of artifacts, which rows do not wait for. */
const choices = later(
  async () => (await Promise.all([import('./row-choices.tsx'), loadControls(), loadAllWords()]))[0],
);

function Changing(props: ChangingProps) {
  const { Changing: Loaded } = choices.use();
  return <Loaded {...props} />;
}

/** The status of a row, which is changed here by the workflow of its own tracker. */
export function RowStatus(props: RowStatusProps) {
  const { artifact, isOpen, onOpenChange } = props;
  const { ui } = useMessages();
  const { shown, field } = useShown(artifact);
  const [wasOpen, setWasOpen] = useState(false);
  if (isOpen && !wasOpen) setWasOpen(true);
  if (field === undefined || !may(field, 'update'))
    return (
      <span className={styles['plainStatus']}>
        <Words shown={shown} />
      </span>
    );
  const button = (
    <Button
      kind="quiet"
      size="small"
      opens
      className={styles['status'] ?? ''}
      aria-label={`${field.label}: ${shown?.name ?? ui.none}`}
      aria-haspopup="menu"
      onPress={() => onOpenChange(true)}
    >
      <Words shown={shown} />
    </Button>
  );
  if (!wasOpen) return button;
  return (
    <Suspense fallback={button}>
      <Changing {...props} field={field} shown={shown} />
    </Suspense>
  );
}
