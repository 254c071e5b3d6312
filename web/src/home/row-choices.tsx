import { useEffect, useRef, useState } from 'react';
import { type SeenArtifact, StepDialog, useReasonNot, useSeenArtifact, useSteps } from '../artifact/index.ts';
import { type Choice, ChoiceMark, type Field, statusStages } from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import { Button, Menu, MenuItem } from '../ui/index.ts';
import styles from './home.module.css';
import { type ChangingProps, type RowStatusProps, type Shown, Words } from './row-status.tsx';

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
  const button = useRef<HTMLButtonElement>(null);
  const [isThere, setThere] = useState(false);
  // It stands for the button that was pressed, which is gone: the focus comes back to it when the menu closes.
  useEffect(() => {
    if (document.activeElement === document.body) button.current?.focus({ preventScroll: true });
    setThere(true);
  }, []);
  const offered: Choice[] = [...(current === undefined ? [] : [current]), ...targets];
  return (
    <>
      <Menu
        aria-label={field.label}
        search={targets.length >= 8 ? field.label : undefined}
        isOpen={isOpen && isThere}
        onOpenChange={onOpenChange}
        trigger={
          <Button
            ref={button}
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
export function Changing({ artifact, ...rest }: ChangingProps) {
  const { seen } = useSeenArtifact(artifact.id);
  if (seen === undefined)
    return (
      <Button kind="quiet" size="small" opens className={styles['status'] ?? ''}>
        <Words shown={rest.shown} />
      </Button>
    );
  return <Choices {...rest} seen={seen} />;
}
