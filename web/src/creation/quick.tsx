import { useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-aria-components';
import { layoutOf } from '../artifact/index.ts';
import {
  type Field,
  type FieldValue,
  fieldHolding,
  fieldTypeOf,
  holds,
  sourceOf,
  transitionsFrom,
} from '../fields/index.ts';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { type CreationWish, notify, provideCreation, useKnownTrackers, usePlace } from '../shell/index.ts';
import { usePreference, useStanding, useTracker } from '../store/index.ts';
import {
  BareDialog,
  Button,
  Checkbox,
  Icon,
  IconButton,
  MarkdownEditor,
  Menu,
  MenuItem,
  Note,
  Select,
  Skeleton,
  TrackerMark,
} from '../ui/index.ts';
import { useLookAlikes } from './calls.ts';
import styles from './creation.module.css';
import { focusFirstFault } from './first-fault.ts';
import { type CreationForm, fieldsToCreate, useCreationForm, type Values } from './form.ts';
import { FormField } from './form-field.tsx';

/** Offers creation to the frame, and opens its dialog over whatever page there is. */
export function CreationHost() {
  const [wish, setWish] = useState<CreationWish | null>(null);
  const { user } = useStanding();
  const isIn = user !== null;
  useEffect(() => (isIn ? provideCreation(setWish) : undefined), [isIn]);
  return wish === null ? null : <QuickCreation wish={wish} onClose={() => setWish(null)} />;
}

/** Undefined until they are known. */
const useTrackersToCreateIn = (project: string | undefined) =>
  useKnownTrackers(project)?.filter(({ maySubmit }) => maySubmit);

type ListedTrackers = NonNullable<ReturnType<typeof useTrackersToCreateIn>>;

const trackerOptions = (trackers: ListedTrackers) =>
  trackers.map(({ uri, label, color }) => ({ id: uri, name: label, mark: <TrackerMark colour={color} /> }));

interface ChosenElsewhere {
  readonly project: string;
  readonly tracker: string;
}

/** Which project and which tracker, one after the other; what there is only one of is not asked for. */
function Elsewhere({
  onChoose,
  onClose,
}: {
  readonly onChoose: (chosen: ChosenElsewhere) => void;
  readonly onClose: () => void;
}) {
  const { creation, shell } = useMessages();
  const { memberships } = useStanding();
  const [project, setProject] = useState(memberships.length === 1 ? memberships[0]?.project.uri : undefined);
  const [openList, setOpenList] = useState<'project' | 'tracker' | null>(null);
  const trackers = useTrackersToCreateIn(project);
  // A list takes the focus where it is opened from a button that has it: the dialog, or the list before, gives it back first.
  const next = project === undefined ? 'project' : trackers === undefined ? null : 'tracker';
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    if (next === null) return undefined;
    const frame = requestAnimationFrame(() => {
      const [ofProjects, ofTrackers] =
        head.current?.querySelectorAll<HTMLElement>('[aria-haspopup=listbox]') ?? [];
      (next === 'project' ? ofProjects : ofTrackers)?.focus();
      setOpenList(next);
    });
    return () => cancelAnimationFrame(frame);
  }, [next]);
  const only = trackers?.length === 1 ? trackers[0]?.uri : undefined;
  useEffect(() => {
    if (project !== undefined && only !== undefined) onChoose({ project, tracker: only });
  }, [project, only, onChoose]);
  const isNowhere = memberships.length === 0 || trackers?.length === 0;
  return (
    <div className={styles['quick']}>
      <header ref={head} className={styles['head']}>
        <span className={styles['createIn']}>{creation.createIn}</span>
        <Select
          aria-label={creation.project}
          placeholder={creation.project}
          className={styles['picker']}
          options={memberships.map((each) => ({
            id: each.project.uri,
            name: each.project.label_without_icon,
          }))}
          value={project ?? null}
          isOpen={openList === 'project'}
          onOpenChange={(isOpen) => setOpenList(isOpen ? 'project' : null)}
          onChange={(next) => {
            setProject(next ?? undefined);
            setOpenList(null);
          }}
        />
        {project !== undefined && trackers !== undefined && trackers.length > 1 && (
          <Select
            key={project}
            aria-label={creation.tracker}
            placeholder={creation.chooseTracker}
            className={styles['picker']}
            options={trackerOptions(trackers)}
            value={null}
            isOpen={openList === 'tracker'}
            onOpenChange={(isOpen) => setOpenList(isOpen ? 'tracker' : null)}
            onChange={(next) => next !== null && onChoose({ project, tracker: next })}
          />
        )}
        <span className={styles['space']} />
        <IconButton icon="x" label={creation.close} keys="Esc" onPress={onClose} />
      </header>
      {isNowhere && <Note meaning="info">{shell.nowhereToCreate}</Note>}
    </div>
  );
}

const LAST = 'web.last_tracker';

/** The tracker that was asked for, the one at hand, the one of last time, or the first. */
function useChosenTracker(wish: CreationWish, elsewhere: ChosenElsewhere | undefined) {
  const place = usePlace();
  const { memberships } = useStanding();
  const project = elsewhere?.project ?? place.project ?? memberships[0]?.project.uri;
  const trackers = useTrackersToCreateIn(project) ?? [];
  const [last, setLast] = usePreference(LAST);
  const [chosen, setChosen] = useState<string | null>(
    elsewhere?.tracker ?? wish.tracker ?? place.tracker ?? null,
  );
  const uri = chosen ?? trackers.find((tracker) => tracker.uri === last)?.uri ?? trackers[0]?.uri;
  const choose = (next: string) => {
    setChosen(next);
    setLast(next);
  };
  return { trackers, uri, choose };
}

function QuickCreation({ wish, onClose }: { readonly wish: CreationWish; readonly onClose: () => void }) {
  const { creation } = useMessages();
  const [elsewhere, setElsewhere] = useState<ChosenElsewhere>();
  const isAsked = wish.isElsewhere === true && elsewhere === undefined;
  return (
    <BareDialog label={creation.createIn} isOpen onClose={onClose} width="palette" isDismissable={false}>
      {isAsked ? (
        <Elsewhere onChoose={setElsewhere} onClose={onClose} />
      ) : (
        <QuickInside wish={wish} elsewhere={elsewhere} onClose={onClose} />
      )}
    </BareDialog>
  );
}

function QuickInside({
  wish,
  elsewhere,
  onClose,
}: {
  readonly wish: CreationWish;
  readonly elsewhere: ChosenElsewhere | undefined;
  readonly onClose: () => void;
}) {
  const { creation, shell } = useMessages();
  const { trackers, uri, choose } = useChosenTracker(wish, elsewhere);
  const { thing: tracker } = useTracker(uri);
  const picker = (
    <Select
      aria-label={creation.tracker}
      className={styles['picker']}
      options={trackerOptions(trackers)}
      known={
        tracker
          ? [{ id: tracker.uri, name: tracker.label, mark: <TrackerMark colour={tracker.color_name} /> }]
          : []
      }
      value={uri ?? null}
      onChange={(next) => next !== null && choose(next)}
    />
  );
  if (tracker !== undefined)
    return <QuickForm key={tracker.uri} tracker={tracker} wish={wish} picker={picker} onClose={onClose} />;
  return (
    <div className={styles['quick']}>
      {uri === undefined ? <Note meaning="info">{shell.nowhereToCreate}</Note> : <Skeleton lines={5} />}
      <div className={styles['foot']}>
        <Button onPress={onClose}>{creation.close}</Button>
      </div>
    </div>
  );
}

type QuickFormProps = {
  readonly tracker: Parameters<typeof useCreationForm>[0];
  readonly wish: CreationWish;
  readonly picker: ReactNode;
  readonly onClose: () => void;
};

function titleValue(field: Field | undefined, title: string | undefined): Values {
  if (field === undefined || title === undefined || title === '') return {};
  return {
    [field.field_id]: { field_id: field.field_id, type: field.type, label: field.label, value: title },
  };
}

function QuickForm({ tracker, wish, picker, onClose }: QuickFormProps) {
  const { creation } = useMessages();
  const formats = useFormats();
  const router = useRouter();
  const layout = layoutOf(tracker, new Set());
  const [initial] = useState(() => titleValue(layout.title, wish.title));
  const form = useCreationForm(tracker, initial);
  const place = useRef<HTMLDivElement>(null);
  const [isAnother, setAnother] = useState(false);
  const [showsFiles, setShowsFiles] = useState(false);
  const { shown, others, toggle } = useShownFields(form, layout);
  const files = fieldHolding(fieldsToCreate(tracker), 'files');
  const filesShown = files !== undefined && (showsFiles || form.isFilled(files)) ? files : undefined;

  const send = async () => {
    const created = await form.send();
    if (created === null) return focusFirstFault();
    wish.onCreated?.(created.id);
    const xref = `${tracker.item_name} #${created.id}`;
    notify({
      text: creation.created(xref),
      action: { name: creation.open, run: () => router.history.push(`/artifacts/${created.id}`) },
    });
    if (isAnother) form.startAnother();
    else onClose();
  };
  const discard = () => {
    form.discard();
    // The button that was pressed is gone with it.
    place.current?.querySelector('textarea')?.focus();
  };
  const openAll = () => {
    onClose();
    router.history.push(`/trackers/${tracker.id}/new`);
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Ctrl Enter sends from every control inside
    <div
      ref={place}
      className={styles['quick']}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          void send();
        }
      }}
    >
      <header className={styles['head']}>
        <span className={styles['createIn']}>{creation.createIn}</span>
        {picker}
        <span className={styles['space']} />
        <Button kind="quiet" onPress={openAll}>
          {creation.allFields}
          <Icon name="arrows-diagonal" size={13} />
        </Button>
        <IconButton icon="x" label={creation.close} keys="Esc" onPress={onClose} />
      </header>
      <div className={styles['scroll']}>
        {layout.title && <TitleBox form={form} field={layout.title} onSend={send} />}
        {layout.title && <LookAlikes form={form} field={layout.title} />}
        {form.fault !== null && (
          <Note meaning="bad" isAlert>
            <span lang="en">{form.fault}</span>
          </Note>
        )}
        {layout.description && <DescriptionBox form={form} field={layout.description} />}
        <div className={styles['fields']}>
          {shown.map((field) => (
            <FormField key={field.field_id} form={form} field={field} />
          ))}
        </div>
        {filesShown && <FormField form={form} field={filesShown} />}
        {form.isRestored && form.keptAt !== undefined && (
          <p className={styles['kept']}>
            {creation.draftKept(formats.time(deviceMoment(form.keptAt)))}
            <Button kind="quiet" size="small" onPress={discard}>
              {creation.discard}
            </Button>
          </p>
        )}
      </div>
      <footer className={styles['foot']}>
        {files && <IconButton icon="paperclip" label={creation.attach} onPress={() => setShowsFiles(true)} />}
        {others.length > 0 && (
          <Menu
            aria-label={creation.fieldsHere}
            trigger={
              <Button kind="quiet" icon="adjustments-horizontal">
                {creation.fieldsHere}
              </Button>
            }
            placement="top start"
            onAction={(id) => toggle(Number(id))}
            search={others.length >= 8 ? creation.fieldsHere : undefined}
          >
            {others.map((field) => (
              <MenuItem key={field.field_id} id={field.field_id} isSet={shown.includes(field)}>
                {field.label}
              </MenuItem>
            ))}
          </Menu>
        )}
        <span className={styles['space']} />
        <Checkbox isSelected={isAnother} onChange={setAnother}>
          {creation.another}
        </Checkbox>
        <Button
          kind="primary"
          isBusy={form.isBusy}
          reasonNot={form.isUploading ? creation.filesOnTheWay : null}
          onPress={send}
        >
          {creation.create(tracker.item_name)}
          <span className={styles['keyHint']} aria-hidden="true">
            Ctrl <Icon name="corner-down-left" size={12} />
          </span>
        </Button>
      </footer>
    </div>
  );
}

/** Required ones, those that the first step of the workflow asks for, those that a person chose, and what is sent because it was filled in before. */
function useShownFields(form: CreationForm, { title, description, strip }: ReturnType<typeof layoutOf>) {
  const { tracker } = form;
  const key = `web.create_fields_${tracker.id}`;
  const [kept, keep] = usePreference(key);
  const all = fieldsToCreate(tracker).filter((field) => field !== title && field !== description);
  const isOfWhole = ({ type }: Field) => fieldTypeOf(type).isForWholeForm === true;
  const possible = all.filter((field) => !isOfWhole(field));
  const [first]: Readonly<Record<string, unknown>>[] = transitionsFrom(tracker, undefined, true);
  const needed = first?.['not_empty_field_ids'];
  const isNeeded = (field: Field) =>
    field.required || (Array.isArray(needed) && needed.includes(field.field_id));
  const chosenIds =
    kept === undefined || kept === '' ? strip.map(({ field_id: id }) => id) : kept.split(',').map(Number);
  const isAsked = (field: Field) => isNeeded(field) || chosenIds.includes(field.field_id);
  const shown = all.filter((field) =>
    isOfWhole(field)
      ? form.isFilled(field) && !holds(field, 'files')
      : isAsked(field) || form.isFilled(field),
  );
  const toggle = (id: number) => {
    const next = chosenIds.includes(id) ? chosenIds.filter((each) => each !== id) : [...chosenIds, id];
    keep(next.length === 0 ? '0' : next.join(','));
  };
  return { shown, others: possible.filter((field) => !isNeeded(field)), toggle };
}

const textOf = (value: FieldValue | undefined): string => {
  const text = value?.['value'];
  return typeof text === 'string' ? text : '';
};

function TitleBox({
  form,
  field,
  onSend,
}: {
  readonly form: CreationForm;
  readonly field: Field;
  readonly onSend: () => void;
}) {
  const { creation } = useMessages();
  const fault = form.faultOf(field);
  const box = useRef<HTMLTextAreaElement>(null);
  useEffect(() => box.current?.focus(), []);
  if (!holds(field, 'line')) return <FormField form={form} field={field} />;
  return (
    <div>
      <textarea
        ref={box}
        rows={1}
        className={styles['title']}
        aria-label={field.label}
        aria-invalid={fault !== null}
        aria-required={field.required}
        placeholder={creation.titleHint}
        value={textOf(form.place.seenValue(field.field_id))}
        onChange={(event) =>
          form.set({
            field_id: field.field_id,
            type: field.type,
            label: field.label,
            value: event.target.value.replace(/\n/g, ' '),
          })
        }
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          if (event.ctrlKey || event.metaKey) {
            event.stopPropagation();
            onSend();
          }
        }}
      />
      {fault !== null && (
        <p className={styles['fault']} role="alert">
          <Icon name="alert-circle" size={14} /> {fault}
        </p>
      )}
    </div>
  );
}

function DescriptionBox({ form, field }: { readonly form: CreationForm; readonly field: Field }) {
  const { creation } = useMessages();
  if (!holds(field, 'text')) return <FormField form={form} field={field} />;
  return (
    <MarkdownEditor
      className={styles['description']}
      label={field.label}
      placeholder={creation.descriptionHint}
      value={sourceOf(form.place.seenValue(field.field_id))}
      minHeight={72}
      onChange={(commonmark) =>
        form.set({
          field_id: field.field_id,
          type: field.type,
          label: field.label,
          value: '',
          format: 'html',
          commonmark,
        })
      }
      fault={form.faultOf(field)}
    />
  );
}

/** Open ones that look like what is typed: nobody is stopped by them. */
function LookAlikes({ form, field }: { readonly form: CreationForm; readonly field: Field }) {
  const { creation } = useMessages();
  const { tracker } = form;
  const found = useLookAlikes(textOf(form.place.seenValue(field.field_id)), tracker.project.id);
  if (found.length === 0) return null;
  return (
    <section className={styles['alike']} aria-label={creation.lookLike(tracker.label)}>
      <p>{creation.lookLike(tracker.project.label)}</p>
      <ul>
        {found.map((artifact) => (
          <li key={artifact.id}>
            <Link href={`/artifacts/${artifact.id}`} target="_blank" className={styles['alikeLink'] ?? ''}>
              <TrackerMark colour={artifact.color} />
              <span className={styles['second']}>#{artifact.id}</span>
              <span className={styles['strong']}>{artifact.label}</span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
