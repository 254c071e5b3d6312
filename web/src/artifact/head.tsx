import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import {
  ChangedByOther,
  type Choice,
  ChoiceMark,
  type Field,
  holds,
  isParentLink,
  isWorkflowField,
  linksIn,
  statusStages,
  useArtifacts,
} from '../fields/index.ts';
import { useMessages } from '../messages/index.ts';
import {
  Button,
  classes,
  coloured,
  focusBack,
  Icon,
  Menu,
  MenuItem,
  NotSavedYet,
  TrackerMark,
} from '../ui/index.ts';
import styles from './artifact.module.css';
import { onEditAgain } from './edit-again.ts';
import type { Layout } from './layout.ts';
import {
  type Begun,
  begunWith,
  type SeenArtifact,
  useBegun,
  useReasonNot,
  useStore,
  valueIn,
} from './seen.ts';
import { StepDialog } from './step-dialog.tsx';
import { useSteps } from './steps.ts';

/** The title is its own control: Enter stores, Escape leaves. */
export function Title({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field | undefined }) {
  const { artifact: words } = useMessages();
  const reasonNot = useReasonNot();
  const [isEditing, setEditing] = useState(false);
  const [again, setAgain] = useState<string | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  const leave = (isByKey: boolean) => {
    setEditing(false);
    if (isByKey) focusBack(button);
  };
  const { artifact } = seen;
  const title = titleOf(seen, field) || words.noTitle;
  useEffect(() => {
    if (field === undefined) return undefined;
    return onEditAgain(artifact.uri, field.field_id, (typed) => {
      const text = typed?.['value'];
      setAgain(typeof text === 'string' ? text : undefined);
      setEditing(true);
    });
  }, [artifact.uri, field]);
  if (field === undefined || reasonNot(seen, field) !== null)
    return <h1 className={styles['title']}>{title}</h1>;
  if (isEditing && holds(field, 'line'))
    return <TitleEditor seen={seen} field={field} again={again} onLeave={leave} />;
  return (
    <h1 className={styles['title']}>
      <button ref={button} type="button" onClick={() => setEditing(true)} title={words.editTitle}>
        {title}
      </button>
      {seen.isPending(field.field_id) && <NotSavedYet />}
    </h1>
  );
}

export function titleOf({ artifact }: SeenArtifact, field: Field | undefined): string {
  const value = field === undefined ? undefined : valueIn(artifact, field.field_id);
  const shown = value?.['value'];
  return field !== undefined && holds(field, 'line') && typeof shown === 'string'
    ? shown
    : (artifact.title ?? '');
}

function TitleEditor({
  seen,
  field,
  again,
  onLeave,
}: {
  readonly seen: SeenArtifact;
  readonly field: Field;
  /** What was typed and refused. */
  readonly again: string | undefined;
  readonly onLeave: (isByKey: boolean) => void;
}) {
  const { artifact: words, fields } = useMessages();
  const store = useStore(seen);
  const begun = useBegun(seen, field);
  const before = titleOf(seen, field);
  const [typed, setTyped] = useState(again ?? before);
  const [fault, setFault] = useState(false);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => area.current?.select(), []);
  const save = (isByKey: boolean) => {
    const title = typed.replace(/\s+/g, ' ').trim();
    if (title === '' && field.required) return setFault(true);
    if (title !== before)
      store(field, { field_id: field.field_id, type: field.type, label: field.label, value: title }, begun);
    onLeave(isByKey);
  };
  return (
    <div className={styles['titleEditor']}>
      <textarea
        ref={area}
        rows={1}
        className={styles['title']}
        aria-label={words.editTitle}
        aria-invalid={fault}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setFault(false);
        }}
        onBlur={() => save(false)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          // Escape leaves the title, and not the panel.
          event.preventDefault();
          if (event.key === 'Enter') save(true);
          else onLeave(true);
        }}
      />
      {fault && (
        <p className={styles['fault']} role="alert">
          <Icon name="alert-circle" size={14} /> {fields.required(field.label)}
        </p>
      )}
      <ChangedByOther
        trackerId={seen.tracker.id}
        uri={seen.artifact.uri}
        field={field}
        value={valueIn(seen.artifact, field.field_id)}
      />
    </div>
  );
}

const MOST_STEPS = 3;

/** The status as a button, the ways out of it, and what it belongs to. */
export function StatusLine({ seen, layout }: { readonly seen: SeenArtifact; readonly layout: Layout }) {
  return (
    <div className={styles['statusLine']}>
      {layout.status && <Status seen={seen} field={layout.status} />}
      {layout.links && <Parents seen={seen} field={layout.links} />}
    </div>
  );
}

function Status({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field }) {
  const { artifact: words, ui } = useMessages();
  const reasonNot = useReasonNot()(seen, field);
  const stages = statusStages(seen.tracker);
  const { current, targets, take, asksFor, step, closeStep } = useSteps(seen, field);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  /** What was seen when the list was opened. */
  const begun = useRef<Begun>(undefined);
  useEffect(
    () => onEditAgain(seen.artifact.uri, field.field_id, () => setOpen(true)),
    [seen.artifact.uri, field.field_id],
  );
  const openOrClose = (next: boolean) => {
    if (next) begun.current = begunWith(seen, field);
    setOpen(next);
  };
  // From there other steps lead on: the one that was taken is not there any more.
  const go = (choice: Choice) => {
    take(choice);
    if (asksFor(choice) === undefined) focusBack(button);
  };
  const name = current?.name ?? ui.none;
  const inside = (
    <>
      {current && <ChoiceMark choice={current} stages={stages} />}
      {name}
    </>
  );
  if (reasonNot !== null)
    return (
      <span {...coloured(current?.colour)} className={styles['status']} title={reasonNot}>
        {inside}
      </span>
    );
  const hasWorkflow = isWorkflowField(seen.tracker, field);
  return (
    <>
      <span {...coloured(current?.colour)} className={styles['statusHolder']}>
        <Menu
          trigger={
            <Button
              ref={button}
              className={styles['status'] ?? ''}
              opens
              aria-label={`${field.label}: ${name}`}
            >
              {inside}
            </Button>
          }
          isOpen={isOpen}
          onOpenChange={openOrClose}
          aria-label={field.label}
          search={targets.length >= 8 ? field.label : undefined}
          onAction={(id) => {
            const target = targets.find((choice) => choice.id === String(id));
            if (target) take(target, begun.current);
          }}
        >
          {[...(current ? [current] : []), ...targets].map((choice) => (
            <MenuItem
              key={choice.id}
              id={choice.id}
              mark={<ChoiceMark choice={choice} stages={stages} />}
              isSet={choice.id === current?.id}
              second={choice.id === current?.id ? undefined : asksFor(choice)}
            >
              {choice.name}
            </MenuItem>
          ))}
        </Menu>
      </span>
      {seen.isPending(field.field_id) && <NotSavedYet />}
      {hasWorkflow && targets.length > 0 && (
        <fieldset className={styles['steps']} aria-label={words.stages}>
          <Icon name="arrow-right" size={14} className={styles['stepArrow'] ?? ''} />
          {targets.slice(0, MOST_STEPS).map((choice) => (
            <Button key={choice.id} onPress={() => go(choice)}>
              {asksFor(choice) === undefined ? choice.name : `${choice.name}…`}
            </Button>
          ))}
        </fieldset>
      )}
      {step && <StepDialog seen={seen} step={step} onClose={closeStep} />}
    </>
  );
}

function Parents({ seen, field }: { readonly seen: SeenArtifact; readonly field: Field }) {
  const { artifact: words } = useMessages();
  const links = linksIn(valueIn(seen.artifact, field.field_id)).filter(isParentLink);
  const { artifacts } = useArtifacts(links.map(({ id }) => id));
  if (artifacts.length === 0) return null;
  return artifacts.map((parent) => (
    <Link
      key={parent.id}
      href={`/artifacts/${parent.id}`}
      className={classes(styles['parent'])}
      aria-label={`${words.parent}: ${parent.xref} ${parent.title ?? ''}`}
    >
      <Icon name="corner-left-up" size={14} />
      <TrackerMark colour={parent.tracker.color_name} />
      <span className={styles['second']}>{parent.xref}</span>
      <span className={styles['strong']}>{parent.title}</span>
    </Link>
  ));
}
