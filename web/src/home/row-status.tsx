import { type ReactNode, useState } from 'react';
import { type SeenArtifact, StepDialog, useReasonNot, useSeenArtifact, useSteps } from '../artifact/index.ts';
import {
  type Choice,
  ChoiceMark,
  chosenIn,
  type Field,
  may,
  stageNamed,
  statusField,
  statusStages,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { useChangesOf, useTracker } from '../store/index.ts';
import { Button, EmptyDash, Menu, MenuItem, NotSavedYet, StatusRing } from '../ui/index.ts';
import type { WorkArtifact } from './calls.ts';
import styles from './home.module.css';

export interface RowStatusProps {
  readonly artifact: WorkArtifact;
  readonly isOpen: boolean;
  onOpenChange(isOpen: boolean): void;
}

interface Shown {
  readonly name: string;
  readonly mark: ReactNode;
  readonly isPending: boolean;
}

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

function Words({ shown }: { readonly shown: Shown | undefined }) {
  if (shown === undefined) return <EmptyDash />;
  return (
    <>
      {shown.mark}
      <span className={styles['statusWords']}>{shown.name}</span>
      {shown.isPending && <NotSavedYet />}
    </>
  );
}

/** What the workflow allows from here, as a menu. */
function Choices({
  seen,
  field,
  shown,
  isOpen,
  onOpenChange,
}: Omit<RowStatusProps, 'artifact'> & {
  readonly seen: SeenArtifact;
  readonly field: Field;
  readonly shown: Shown | undefined;
}) {
  const { ui, home } = useMessages();
  const reasonNot = useReasonNot()(seen, field);
  const stages = statusStages(seen.tracker);
  const { current, targets, take, asksFor, step, closeStep } = useSteps(seen, field);
  const offered: Choice[] = [...(current === undefined ? [] : [current]), ...targets];
  return (
    <>
      <Menu
        aria-label={field.label}
        search={targets.length >= 8 ? field.label : undefined}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        trigger={
          <Button
            kind="quiet"
            size="small"
            opens
            className={styles['status'] ?? ''}
            aria-label={`${field.label}: ${shown?.name ?? ui.none}`}
          >
            <Words shown={shown} />
          </Button>
        }
        onAction={(id) => {
          const target = targets.find((choice) => choice.id === String(id));
          if (target !== undefined) take(target);
        }}
      >
        {offered.map((choice) => (
          <MenuItem
            key={choice.id}
            id={choice.id}
            mark={<ChoiceMark choice={choice} stages={stages} />}
            isSet={choice.id === current?.id}
            second={choice.id === current?.id ? undefined : asksFor(choice)}
            reasonNot={choice.id === current?.id ? undefined : reasonNot}
          >
            {choice.name}
          </MenuItem>
        ))}
        {targets.length === 0 && (
          <MenuItem id="none" reasonNot={reasonNot ?? home.noSteps}>
            {ui.none}
          </MenuItem>
        )}
      </Menu>
      {step !== null && <StepDialog seen={seen} step={step} onClose={closeStep} />}
    </>
  );
}

/** The artifact is read when somebody wants to change its status, not before. */
function Changing({
  artifact,
  ...rest
}: RowStatusProps & { readonly field: Field; readonly shown: Shown | undefined }) {
  const { seen } = useSeenArtifact(artifact.id);
  if (seen === undefined)
    return (
      <Button kind="quiet" size="small" opens className={styles['status'] ?? ''}>
        <Words shown={rest.shown} />
      </Button>
    );
  return <Choices {...rest} seen={seen} />;
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
  if (wasOpen) return <Changing {...props} field={field} shown={shown} />;
  return (
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
}
