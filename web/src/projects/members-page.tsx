import { useParams } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-aria-components';
import { platformPagesOf } from '../kernel/platform-pages.ts';
import { useMessages } from '../messages/index.ts';
import { notify, personOf, tellFault } from '../shell/index.ts';
import { useList, useMembership, useStanding, wordsOfError } from '../store/index.ts';
import {
  Button,
  Chip,
  Dialog,
  EmptyPlace,
  ErrorPlace,
  Face,
  IconButton,
  Menu,
  MenuItem,
  SearchField,
  Skeleton,
  Tag,
  TextArea,
  Unseen,
} from '../ui/index.ts';
import {
  addMembers,
  findPerson,
  membersSource,
  type Project,
  type ProjectMember,
  removeMember,
  setAdministrator,
} from './calls.ts';
import { Invitation } from './invitation.tsx';
import { ProjectPlace } from './project-place.tsx';
import styles from './projects.module.css';

/** People by user names or mail addresses, several at once. */
function AddDialog({ project, onClose }: { readonly project: string; onClose(): void }) {
  const { projects, ui } = useMessages();
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const [strangers, setStrangers] = useState<readonly string[]>([]);
  const standing = useStanding();
  const isReading = standing.is_read_only_administrator && !standing.is_site_administrator;
  const mayInvite = !isReading && platformPagesOf(standing).includes('users');
  const [isBusy, setBusy] = useState(false);
  /** Whoever has an account now is not asked for again. */
  const isInvited = (address: string) =>
    setText((before) =>
      before
        .split(/[\s,;]+/)
        .filter((name) => name !== address)
        .join('\n'),
    );
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const names = text.split(/[\s,;]+/).filter((name) => name !== '');
    if (names.length === 0 || isBusy) return;
    setBusy(true);
    setFault(undefined);
    setStrangers([]);
    try {
      const found = await Promise.all(names.map(async (name) => ({ name, id: await findPerson(name) })));
      const unknown = found.filter(({ id }) => id === undefined).map(({ name }) => name);
      if (unknown.length > 0) {
        setFault(projects.unknown(unknown.join(', ')));
        setStrangers(unknown.filter((name) => name.includes('@')));
        return;
      }
      await addMembers(
        project,
        found.flatMap(({ id }) => (id === undefined ? [] : [id])),
      );
      notify({ text: projects.added(names.length) });
      onClose();
    } catch (error) {
      setFault(wordsOfError(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={projects.addTitle}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="add-members" isBusy={isBusy}>
            {projects.addButton}
          </Button>
        </>
      }
    >
      <form id="add-members" onSubmit={submit}>
        <TextArea
          label={projects.addField}
          help={projects.addHelp}
          autoFocus
          value={text}
          onChange={setText}
          fault={fault ?? null}
        />
      </form>
      {mayInvite &&
        strangers.map((address) => (
          <Invitation
            key={address}
            project={project}
            address={address}
            onInvited={() => isInvited(address)}
          />
        ))}
    </Dialog>
  );
}

function RemoveDialog({
  project,
  member,
  onClose,
}: {
  readonly project: string;
  readonly member: ProjectMember;
  onClose(): void;
}) {
  const { projects, ui } = useMessages();
  const [isBusy, setBusy] = useState(false);
  const { name } = personOf(member.user);
  const remove = async () => {
    setBusy(true);
    try {
      await removeMember(project, member.user.id ?? 0);
      notify({ text: projects.removed(name) });
    } catch (error) {
      tellFault(error);
    }
    onClose();
  };
  return (
    <Dialog
      title={projects.removeTitle(name)}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="destroy" isBusy={isBusy} onPress={remove}>
            {projects.remove}
          </Button>
        </>
      }
    >
      <p>{projects.removeWords}</p>
    </Dialog>
  );
}

function MemberRow({
  project,
  member,
  mayChange,
  onRemove,
}: {
  readonly project: string;
  readonly member: ProjectMember;
  readonly mayChange: boolean;
  onRemove(): void;
}) {
  const { projects } = useMessages();
  const { user, is_administrator: isAdministrator, user_groups: groups } = member;
  const person = personOf(user);
  const toggle = () =>
    void setAdministrator(project, person.id, !isAdministrator).then(
      () =>
        notify({
          text: isAdministrator
            ? projects.noAdministrator(person.name)
            : projects.nowAdministrator(person.name),
        }),
      tellFault,
    );
  return (
    <tr>
      <td>
        <Link href={`/users/${user.username}`} className={styles['person'] ?? ''}>
          <Face {...person} size={24} />
          <span>
            <span className={styles['personName']}>{person.name}</span>
            <span className={styles['second']}>{user.username}</span>
          </span>
        </Link>
      </td>
      <td>
        <span className={styles['chips']}>
          {groups.map(({ id, label }) => (
            <Chip key={id}>{label}</Chip>
          ))}
        </span>
      </td>
      <td>{isAdministrator && <Tag>{projects.administrator}</Tag>}</td>
      <td>
        {mayChange && (
          <Menu
            placement="bottom end"
            trigger={<IconButton icon="dots" size="small" label={projects.actionsOf(person.name)} />}
          >
            <MenuItem icon="shield" onAction={toggle}>
              {isAdministrator ? projects.unmakeAdministrator : projects.makeAdministrator}
            </MenuItem>
            <MenuItem icon="trash" isDanger onAction={onRemove}>
              {projects.remove}
            </MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}

function MemberList({ project }: { readonly project: Project }) {
  const { projects } = useMessages();
  const { is_site_administrator: isSiteAdministrator } = useStanding();
  const mayChange = useMembership(project.uri)?.is_administrator === true || isSiteAdministrator;
  const [words, setWords] = useState('');
  const [isAdding, setAdding] = useState(false);
  const [leaving, setLeaving] = useState<ProjectMember>();
  const source = membersSource(project.uri, words);
  const [wanted, setWanted] = useState(source.pageSize);
  const list = useList(source, { from: 0, to: wanted });
  const size = list.size ?? 0;
  const seen = Array.from({ length: Math.min(size, wanted) }, (_, index) => list.itemAt(index));
  return (
    <>
      <div className={styles['filters']}>
        <SearchField
          placeholder={projects.findMember}
          value={words}
          onChange={setWords}
          className={styles['search'] ?? ''}
        />
        <span className={styles['count']}>{list.size !== undefined && projects.memberCount(list.size)}</span>
        {mayChange && (
          <Button icon="user-plus" onPress={() => setAdding(true)}>
            {projects.add}
          </Button>
        )}
      </div>
      {list.size === undefined && list.error === null && (
        <Skeleton lines={6} className={styles['pad'] ?? ''} />
      )}
      {list.size === undefined && list.error !== null && (
        <div className={styles['pad']}>
          <ErrorPlace words={wordsOfError(list.error)} onRetry={list.askAgain} />
        </div>
      )}
      {list.size === 0 && (
        <div className={styles['pad']}>
          <EmptyPlace
            icon="users"
            name={projects.noMembers}
            actions={words !== '' && <Button onPress={() => setWords('')}>{projects.clear}</Button>}
          />
        </div>
      )}
      {size > 0 && (
        <table className={styles['members']}>
          <thead>
            <tr>
              <th scope="col">{projects.person}</th>
              <th scope="col">{projects.groups}</th>
              <th scope="col">{projects.administrator}</th>
              <th scope="col">
                <Unseen>{projects.remove}</Unseen>
              </th>
            </tr>
          </thead>
          <tbody>
            {seen.map(
              (member) =>
                member !== undefined && (
                  <MemberRow
                    key={member.user.id}
                    project={project.uri}
                    member={member}
                    mayChange={mayChange}
                    onRemove={() => setLeaving(member)}
                  />
                ),
            )}
          </tbody>
        </table>
      )}
      {wanted < size && (
        <div className={styles['pad']}>
          <Button onPress={() => setWanted(wanted + source.pageSize)}>{projects.more(size - wanted)}</Button>
        </div>
      )}
      {isAdding && <AddDialog project={project.uri} onClose={() => setAdding(false)} />}
      {leaving !== undefined && (
        <RemoveDialog project={project.uri} member={leaving} onClose={() => setLeaving(undefined)} />
      )}
    </>
  );
}

/** `/projects/{shortname}/members` */
export function MembersPage() {
  const { name } = useParams({ from: '/projects/$name/members' });
  const { projects } = useMessages();
  return (
    <ProjectPlace name={name} part={projects.members}>
      {(project) => <MemberList project={project} />}
    </ProjectPlace>
  );
}
