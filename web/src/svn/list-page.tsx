import { useNavigate, useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-aria-components';
import { useMessages } from '../messages/index.ts';
import { notify, Outline, Page, ProblemPage, tellFault, useCommands, WaitingPlace } from '../shell/index.ts';
import { useAbout, useMembership, useProjectNamed, useStanding, wordsOfError } from '../store/index.ts';
import {
  Button,
  Checkbox,
  Dialog,
  EmptyPlace,
  Icon,
  IconButton,
  LinkButton,
  MeaningChip,
  Note,
  RelativeTime,
  TextField,
} from '../ui/index.ts';
import {
  keepRepository,
  makeRepository,
  type SvnRepository,
  useAuthors,
  useProjectRepositories,
} from './calls.ts';
import { copyAndTell } from './place.tsx';
import styles from './svn.module.css';
import { Author, subjectOf } from './tools.tsx';

const usualLayout = ['/trunk', '/branches', '/tags'];

function NewRepositoryDialog({
  project,
  projectId,
  shortname,
  onClose,
}: {
  readonly project: string;
  readonly projectId: number;
  readonly shortname: string;
  onClose(): void;
}) {
  const { svn, ui } = useMessages();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [hasLayout, setHasLayout] = useState(true);
  const [isReferenceMandatory, setReferenceMandatory] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') return setFault(svn.needsName);
    setBusy(true);
    try {
      const layout = hasLayout ? usualLayout : [];
      const made = await makeRepository(project, {
        projectId,
        name: name.trim(),
        layout,
        isReferenceMandatory,
      });
      notify({ text: svn.made(made.name) });
      onClose();
      void navigate({ to: `/projects/${shortname}/svn/${made.name}` });
    } catch (error) {
      setFault(wordsOfError(error));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={svn.newRepository}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="new-repository" isBusy={isBusy}>
            {svn.createIt}
          </Button>
        </>
      }
    >
      <form id="new-repository" className={styles['form']} noValidate onSubmit={submit}>
        <TextField
          label={svn.name}
          help={svn.nameHelp}
          isRequired
          autoFocus
          value={name}
          onChange={(text) => {
            setFault(undefined);
            setName(text);
          }}
          fault={fault ?? null}
        />
        <Checkbox isSelected={hasLayout} onChange={setHasLayout} help={svn.layoutHelp}>
          {svn.layout}
        </Checkbox>
        <Checkbox isSelected={isReferenceMandatory} onChange={setReferenceMandatory} help={svn.mandatoryHelp}>
          {svn.mandatory}
        </Checkbox>
      </form>
    </Dialog>
  );
}

function Repository({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const { name, project, svn_url: url, last_commit: last } = repository;
  const base = `/projects/${project.shortname}/svn/${name}`;
  const line = `svn checkout ${url}`;
  const author = useAuthors(last === null ? [] : [last.author]);
  const keep = () => keepRepository(repository).then(() => notify({ text: svn.kept(name) }), tellFault);
  return (
    <li className={styles['repository']}>
      <Link href={base} className={styles['repositoryName'] ?? ''}>
        <Icon name="folder-code" />
        <span>{name}</span>
      </Link>
      <span className={styles['lastCommit']}>
        {last === null ? (
          svn.noCommit
        ) : (
          <>
            <Author name={last.author} user={author.get(last.author)} size={16} />
            <Link href={`${base}/revisions/${last.revision}`}>
              r{last.revision} {subjectOf(last.message)}
            </Link>
            <RelativeTime at={last.date} />
          </>
        )}
      </span>
      {repository.is_deletion_pending ? (
        <span className={styles['pending']}>
          <MeaningChip meaning="care">{svn.pending}</MeaningChip>
          {repository.may_administer && <Button onPress={keep}>{svn.keepIt}</Button>}
        </span>
      ) : (
        <span className={styles['checkoutLine']}>
          <code>{line}</code>
          <IconButton
            icon="copy"
            size="small"
            label={svn.copyCheckoutOf(name)}
            onPress={() => copyAndTell(line, svn.copied)}
          />
        </span>
      )}
      {repository.may_administer && (
        <span className={styles['repositoryWays']}>
          <LinkButton
            kind="quiet"
            size="small"
            icon="settings"
            href={`${base}/settings/rules`}
            aria-label={svn.settingsOf(name)}
          />
        </span>
      )}
    </li>
  );
}

function SignIn({ login }: { readonly login: string }) {
  const { svn } = useMessages();
  return (
    <p className={styles['help']}>
      {svn.signIn(login)} <Link href="/account/keys">{svn.makeKey}</Link>
    </p>
  );
}

function List({
  project,
  projectId,
  shortname,
}: {
  readonly project: string;
  readonly projectId: number;
  readonly shortname: string;
}) {
  const { svn } = useMessages();
  const { user, is_site_administrator: isSiteAdministrator } = useStanding();
  const isAdministrator = useMembership(project)?.is_administrator === true || isSiteAdministrator;
  const asked = useProjectRepositories(project);
  const { data } = asked;
  const [isCreating, setCreating] = useState(false);
  const isMissing = useAbout()?.has_subversion === false;
  const mayCreate = isAdministrator || data?.some(({ may_administer: may }) => may) === true;
  useCommands(
    mayCreate
      ? [{ id: 'new-repository', name: svn.newRepository, icon: 'plus', run: () => setCreating(true) }]
      : [],
  );
  const create = mayCreate && (
    <Button icon="plus" reasonNot={isMissing ? svn.missing : null} onPress={() => setCreating(true)}>
      {svn.newRepository}
    </Button>
  );
  return (
    <>
      {isMissing && (
        <div className={styles['pad']}>
          <Note meaning="care">{svn.missing}</Note>
        </div>
      )}
      <WaitingPlace asked={asked} lines={4} className={styles['pad']} />
      {data?.length === 0 && (
        <div className={styles['pad']}>
          <EmptyPlace icon="folder-code" name={svn.none} actions={create}>
            {svn.noneWords}
          </EmptyPlace>
        </div>
      )}
      {data !== undefined && data.length > 0 && (
        <>
          <div className={styles['tools']}>
            <span>{svn.repositoryCount(data.length)}</span>
            <span className={styles['grow']} />
            {create}
          </div>
          <ul className={styles['repositories']}>
            {data.map((repository) => (
              <Repository key={repository.id} repository={repository} />
            ))}
          </ul>
          {user !== null && <SignIn login={user.username ?? ''} />}
        </>
      )}
      {isCreating && (
        <NewRepositoryDialog
          project={project}
          projectId={projectId}
          shortname={shortname}
          onClose={() => setCreating(false)}
        />
      )}
    </>
  );
}

/** `/projects/{shortname}/svn` */
export function RepositoriesPage() {
  const { name } = useParams({ from: '/projects/$name/svn' });
  const { svn } = useMessages();
  const { thing: project, error, askAgain, isAsking } = useProjectNamed(name);
  if (project === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={askAgain} />;
  const label = project.label_without_icon;
  return (
    <Page
      title={`${svn.title} · ${label}`}
      crumbs={[{ name: label, to: `/projects/${project.shortname}` }, { name: svn.title }]}
      place={{ project: project.uri }}
      isAsking={isAsking}
    >
      <List project={project.uri} projectId={project.id} shortname={project.shortname} />
    </Page>
  );
}
