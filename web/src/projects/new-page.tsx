import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useState } from 'react';
import { shortNameOf } from '../kernel/short-name.ts';
import { useMessages } from '../messages/index.ts';
import { notify, Page } from '../shell/index.ts';
import { standingChanged, useDraft, useStanding, wordsOfError } from '../store/index.ts';
import {
  Button,
  EmptyPlace,
  Radio,
  RadioGroup,
  Select,
  TextArea,
  TextField,
  TrackerMark,
} from '../ui/index.ts';
import { ArchiveChooser, ArchiveUpload } from './archive-upload.tsx';
import {
  type AwaitedArchive,
  awaitArchive,
  checkProject,
  makeProject,
  type NewProject,
  useProjectFields,
  useTemplates,
} from './calls.ts';
import styles from './projects.module.css';

const templates = ['issues', 'agile', 'service_desk', 'empty'] as const;

interface Wish {
  readonly template: string;
  readonly copyOf: string;
  readonly label: string;
  /** Undefined as long as it is made from the name. */
  readonly shortname: string | undefined;
  readonly description: string;
  readonly isPublic: boolean;
  readonly fields: Readonly<Record<string, string>>;
  /** An archive that was not uploaded to its end. */
  readonly awaited?: AwaitedArchive | undefined;
}

const empty: Wish = {
  template: 'issues',
  copyOf: '',
  label: '',
  shortname: undefined,
  description: '',
  isPublic: false,
  fields: {},
};

function projectOf(wish: Wish): NewProject {
  return {
    label: wish.label.trim(),
    shortname: wish.shortname ?? shortNameOf(wish.label),
    description: wish.description,
    isPublic: wish.isPublic,
    template: wish.template,
    copyOf: wish.template === 'copy' && wish.copyOf !== '' ? Number(wish.copyOf) : undefined,
    fields: Object.entries(wish.fields).map(([id, value]) => ({ field_id: Number(id), value })),
  };
}

/** Which field the server's words are about; all of them come together, one a line or sentence. */
function placeOf(words: string): 'label' | 'shortname' | 'other' {
  if (/short ?name|shortname/i.test(words)) return 'shortname';
  return /\blabel\b|\bname\b/i.test(words) ? 'label' : 'other';
}

/** Asks the server about what is typed, a moment after the last key. */
function useCheck(wish: Wish): string | null {
  const [fault, setFault] = useState<string | null>(null);
  const question = JSON.stringify(projectOf(wish));
  const isAskable = wish.label.trim().length >= 3;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text of the question says all that matters.
  useEffect(() => {
    if (!isAskable) {
      setFault(null);
      return undefined;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      checkProject(projectOf(wish), asking.signal).then(setFault, () => undefined);
    }, 250);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [question, isAskable]);
  return fault;
}

function Step({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <section className={styles['step']}>
      <h2 className={styles['sectionName']}>{name}</h2>
      {children}
    </section>
  );
}

interface StepProps {
  readonly wish: Wish;
  change(next: Partial<Wish>): void;
}

function TemplateStep({
  wish,
  change,
  file,
  fault,
  onFile,
}: StepProps & { readonly file: File | undefined; readonly fault: string | null; onFile(file: File): void }) {
  const { create, archive } = useMessages().projects;
  const { memberships } = useStanding();
  const shipped = useTemplates().data ?? [];
  const trackersOf = (id: string) => shipped.find(({ name }) => name === id)?.trackers ?? [];
  return (
    <Step name={create.template}>
      <RadioGroup
        aria-label={create.template}
        value={wish.template}
        onChange={(template) => change({ template })}
      >
        {templates.map((id) => (
          <Radio
            key={id}
            value={id}
            help={
              <>
                {create.templates[id].words}
                {id !== 'empty' && (
                  <span className={styles['brings']}>
                    {trackersOf(id).map(({ item_name: itemName, label, color_name: color }) => (
                      <span key={itemName}>
                        <TrackerMark colour={color} />
                        {label}
                      </span>
                    ))}
                  </span>
                )}
              </>
            }
          >
            {create.templates[id].name}
          </Radio>
        ))}
        {memberships.length > 0 && <Radio value="copy">{create.copy}</Radio>}
        <Radio value="archive" help={archive.words}>
          {archive.name}
        </Radio>
      </RadioGroup>
      {wish.template === 'archive' && (
        <>
          <ArchiveChooser file={file} onChoose={onFile} />
          {fault !== null && (
            <p role="alert" className={styles['fault']}>
              {fault}
            </p>
          )}
        </>
      )}
      {wish.template === 'copy' && (
        <Select
          label={create.copyOf}
          value={wish.copyOf === '' ? null : wish.copyOf}
          onChange={(copyOf) => change({ copyOf: copyOf ?? '' })}
          options={memberships.map(({ project }) => ({
            id: String(project.id),
            name: project.label_without_icon,
          }))}
        />
      )}
    </Step>
  );
}

function FieldsStep({ wish, change }: StepProps) {
  const { create } = useMessages().projects;
  const fields = useProjectFields().data?.project_fields_representation ?? [];
  if (fields.length === 0) return null;
  return (
    <Step name={create.fields}>
      {fields.map((field) => (
        <TextField
          key={field.id}
          label={field.name}
          isRequired={field.is_required}
          help={field.description}
          value={wish.fields[field.id] ?? ''}
          onChange={(value) => change({ fields: { ...wish.fields, [field.id]: value } })}
        />
      ))}
    </Step>
  );
}

function NewProjectForm({
  first,
  keep,
  discard,
}: {
  readonly first: Wish;
  keep(wish: Wish): void;
  discard(): void;
}) {
  const { create, archive } = useMessages().projects;
  const navigate = useNavigate();
  const [wish, setWish] = useState(first);
  const [file, setFile] = useState<File>();
  const [isTried, setTried] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const told = useCheck(wish);
  const fault = refused ?? (isTried || wish.label.trim().length >= 3 ? told : null);
  const place = fault === null ? undefined : placeOf(fault);
  const change = (next: Partial<Wish>) => {
    const changed = { ...wish, ...next };
    setWish(changed);
    setRefused(undefined);
    keep(changed);
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const isFromArchive = wish.template === 'archive';
    if (isBusy || wish.label.trim() === '' || (isFromArchive && file === undefined)) return;
    setBusy(true);
    try {
      if (isFromArchive && file !== undefined) {
        change({ awaited: await awaitArchive(projectOf(wish), file) });
        setBusy(false);
        return;
      }
      const made = await makeProject(projectOf(wish));
      discard();
      await standingChanged();
      const isPending = 'status' in made && made.status === 'pending';
      notify({ text: isPending ? create.pending : create.created(wish.label) });
      void navigate({ to: isPending ? '/projects' : `/projects/${projectOf(wish).shortname}` });
    } catch (error) {
      setRefused(wordsOfError(error));
      setBusy(false);
    }
  };
  if (wish.awaited !== undefined)
    return (
      <ArchiveUpload
        awaited={wish.awaited}
        file={file}
        onFile={setFile}
        onOver={() => {
          setWish({ ...wish, awaited: undefined });
          setFile(undefined);
          discard();
        }}
      />
    );
  const needsFile = isTried && wish.template === 'archive' && file === undefined;
  return (
    <form className={styles['newForm']} noValidate onSubmit={submit}>
      <TemplateStep
        wish={wish}
        change={change}
        file={file}
        fault={needsFile ? archive.needsFile : null}
        onFile={setFile}
      />
      <Step name={create.name}>
        <TextField
          label={create.name}
          help={create.nameHelp}
          isRequired
          autoFocus
          value={wish.label}
          onChange={(label) => change({ label })}
          fault={place === 'label' ? fault : null}
        />
        <TextField
          label={create.shortName}
          help={create.shortNameHelp}
          value={wish.shortname ?? shortNameOf(wish.label)}
          onChange={(shortname) => change({ shortname })}
          fault={place === 'shortname' ? fault : null}
        />
        <TextArea
          label={create.description}
          value={wish.description}
          onChange={(description) => change({ description })}
        />
      </Step>
      <Step name={create.who}>
        <RadioGroup
          aria-label={create.who}
          value={wish.isPublic ? 'everybody' : 'members'}
          onChange={(value) => change({ isPublic: value === 'everybody' })}
        >
          <Radio value="members">{create.membersOnly}</Radio>
          <Radio value="everybody">{create.everybody}</Radio>
        </RadioGroup>
      </Step>
      <FieldsStep wish={wish} change={change} />
      {place === 'other' && (
        <p role="alert" className={styles['fault']} lang="en">
          {fault}
        </p>
      )}
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {create.button}
      </Button>
    </form>
  );
}

/** `/projects/new` */
export function NewProjectPage() {
  const { create, title } = useMessages().projects;
  const { may_create_projects: mayCreate } = useStanding();
  const draft = useDraft<Wish>('projects', 'new');
  return (
    <Page
      title={create.title}
      crumbs={[{ name: title, to: '/projects' }, { name: create.title }]}
      hasOwnHeading
      hasOwnPrimary
    >
      <div className={styles['new']}>
        <h1 className={styles['title']}>{create.title}</h1>
        {mayCreate ? (
          <>
            <p className={styles['faint']}>{create.words}</p>
            {draft.isKnown && (
              <NewProjectForm first={draft.content ?? empty} keep={draft.keep} discard={draft.discard} />
            )}
          </>
        ) : (
          <EmptyPlace icon="lock" name={create.notAllowed} />
        )}
      </div>
    </Page>
  );
}
