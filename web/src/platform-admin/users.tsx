import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { csvText } from '../kernel/csv-text.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  Confirm,
  CopyLine,
  Faint,
  FaultLine,
  Filters,
  FormDialog,
  Main,
  Overtaken,
  PagedPlace,
  ShownOnce,
  saveText,
  Table,
  useSending,
  useTyped,
} from '../project-admin/index.ts';
import { announce, notify, personOf, tellFault } from '../shell/index.ts';
import { useAbout, useStanding } from '../store/index.ts';
import {
  Button,
  Dialog,
  Face,
  IconButton,
  type Meaning,
  MeaningChip,
  Menu,
  MenuItem,
  PasswordField,
  Radio,
  RadioGroup,
  SearchField,
  Select,
  Tag,
  TextField,
} from '../ui/index.ts';
import {
  changeUser,
  endSessions,
  makePasswordLink,
  makeUser,
  type PlatformUser,
  readAllUsers,
  readUser,
  revokeKeys,
  type UserOrder,
  type UserSearch,
  type UserStatus,
  useUsers,
} from './calls.ts';
import styles from './platform-admin.module.css';
import { useAdminRights } from './rights.ts';

const statuses: readonly UserStatus[] = ['A', 'R', 'P', 'V', 'W', 'S', 'D'];
const orders: readonly UserOrder[] = ['name', 'created', 'last_access'];
const isStatus = (text: string | undefined): text is UserStatus => statuses.some((status) => status === text);
const isOrder = (text: string | undefined): text is UserOrder => orders.some((order) => order === text);

/** How a status looks where it is not the usual one. */
const meanings: Partial<Record<UserStatus, Meaning>> = {
  P: 'care',
  V: 'care',
  W: 'care',
  S: 'bad',
  D: 'bad',
};

function StatusMark({ status }: { readonly status: UserStatus }) {
  const { users } = useMessages().platformAdmin;
  const meaning = meanings[status];
  const words = users.statuses[status];
  return meaning === undefined ? <span>{words}</span> : <MeaningChip meaning={meaning}>{words}</MeaningChip>;
}

const statusOf = ({ status }: Pick<PlatformUser, 'status'>): UserStatus =>
  isStatus(status ?? undefined) ? (status as UserStatus) : 'A';

function NewUser({ onClose }: { onClose(): void }) {
  const { users } = useMessages().platformAdmin;
  const length = useAbout()?.password_min_length ?? 8;
  const { isBusy, faults, send } = useSending();
  const [login, setLogin] = useState('');
  const [realName, setRealName] = useState('');
  const [email, setEmail] = useState('');
  const [way, setWay] = useState<'link' | 'password'>('link');
  const [password, setPassword] = useState('');
  const [link, setLink] = useState<string>();
  const submit = () =>
    void send(async () => {
      const body = {
        username: login.trim(),
        real_name: realName.trim(),
        email: email.trim(),
        ...(way === 'password' ? { password } : {}),
      };
      const id = await makeUser(body);
      announce(users.made(login));
      if (way === 'link') setLink(await makePasswordLink(id));
      else {
        notify({ text: users.made(login) });
        onClose();
      }
    });
  if (link !== undefined)
    return (
      <Dialog
        title={users.invited(realName === '' ? login : realName)}
        isOpen
        onClose={onClose}
        isDismissable={false}
        buttons={
          <Button kind="primary" onPress={onClose}>
            {users.done}
          </Button>
        }
      >
        <p>{users.linkWords}</p>
        <CopyLine text={link} label={users.link} />
      </Dialog>
    );
  const nameFault = faults.at('username') ?? faults.elsewhere('email', 'real_name', 'password');
  return (
    <FormDialog
      title={users.create}
      submit={way === 'link' ? users.createWithLink : users.create}
      isBusy={isBusy}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={users.login}
        help={users.loginHelp}
        value={login}
        onChange={setLogin}
        autoFocus
        isRequired
        autoComplete="off"
        fault={nameFault}
      />
      <TextField
        label={users.realName}
        value={realName}
        onChange={setRealName}
        fault={faults.at('real_name')}
      />
      <TextField
        label={users.mail}
        type="email"
        value={email}
        onChange={setEmail}
        fault={faults.at('email')}
      />
      <RadioGroup
        label={users.way}
        value={way}
        onChange={(value) => setWay(value === 'password' ? value : 'link')}
      >
        <Radio value="link" help={users.wayLinkHelp}>
          {users.wayLink}
        </Radio>
        <Radio value="password">{users.wayPassword}</Radio>
      </RadioGroup>
      {way === 'password' && (
        <PasswordField
          label={users.password}
          autoComplete="new-password"
          help={users.passwordRule(length)}
          value={password}
          onChange={setPassword}
          fault={faults.at('password')}
        />
      )}
    </FormDialog>
  );
}

/** What follows when an account gets another status, said before it is done. */
function StatusChange({ user, onClose }: { readonly user: PlatformUser; onClose(): void }) {
  const { users } = useMessages().platformAdmin;
  const now = statusOf(user);
  const { isBusy, faults, send } = useSending();
  const typed = useTyped({ status: now }, async () => ({ status: statusOf(await readUser(user.id ?? 0)) }));
  const next = typed.values.status;
  const choices: readonly UserStatus[] = ['A', 'R', 'P', 'S', 'D'];
  const name = user.real_name ?? user.username ?? '';
  const store = async (changes: { status?: UserStatus }) => {
    if (changes.status !== undefined) await changeUser(user.id ?? 0, { status: next });
    notify({ text: users.statusChanged(name, users.statuses[next]) });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  return (
    <FormDialog
      title={users.changeStatusOf(name)}
      submit={users.changeStatus}
      isBusy={isBusy}
      isOff={!typed.isChanged}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <RadioGroup
        label={users.status}
        value={next}
        onChange={(value) => isStatus(value) && typed.change({ status: value })}
      >
        {choices.map((status) => (
          <Radio key={status} value={status} help={users.follows[status]}>
            {users.statuses[status]}
          </Radio>
        ))}
      </RadioGroup>
      <FaultLine words={faults.elsewhere()} />
      <Overtaken
        typed={typed}
        names={{ status: users.status }}
        shown={(status) => (isStatus(String(status)) ? users.statuses[status as UserStatus] : String(status))}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

const detailsOf = ({
  username,
  real_name,
  email,
}: Pick<PlatformUser, 'username' | 'real_name' | 'email'>) => ({
  username: username ?? '',
  real_name: real_name ?? '',
  email: email ?? '',
});

function Details({ user, onClose }: { readonly user: PlatformUser; onClose(): void }) {
  const { users } = useMessages().platformAdmin;
  const { isBusy, faults, send } = useSending();
  const typed = useTyped(detailsOf(user), async () => detailsOf(await readUser(user.id ?? 0)));
  const { username: login, real_name: realName, email } = typed.values;
  const store = async (changes: Partial<typeof typed.values>) => {
    const trimmed = Object.entries(changes).map(([name, text = '']) => [name, text.trim()]);
    await changeUser(user.id ?? 0, Object.fromEntries(trimmed));
    notify({ text: users.saved });
    onClose();
  };
  const submit = (isForced = false) => void send(() => typed.save(store, isForced));
  const nameFault = faults.at('username') ?? faults.elsewhere('email', 'real_name');
  return (
    <FormDialog
      title={users.changeOf(personOf(user).name)}
      submit={users.save}
      isBusy={isBusy}
      onSubmit={() => submit()}
      onClose={onClose}
    >
      <TextField
        label={users.login}
        value={login}
        onChange={(text) => typed.change({ username: text })}
        fault={nameFault}
        autoComplete="off"
      />
      <TextField
        label={users.realName}
        value={realName}
        onChange={(text) => typed.change({ real_name: text })}
        fault={faults.at('real_name')}
      />
      <TextField
        label={users.mail}
        type="email"
        value={email}
        onChange={(text) => typed.change({ email: text })}
        fault={faults.at('email')}
      />
      <Overtaken
        typed={typed}
        names={{ username: users.login, real_name: users.realName, email: users.mail }}
        onMine={() => submit(true)}
      />
    </FormDialog>
  );
}

function LinkDialog({ user, onClose }: { readonly user: PlatformUser; onClose(): void }) {
  const { users } = useMessages().platformAdmin;
  const [link, setLink] = useState<string>();
  const { isBusy, faults, send } = useSending();
  const { name } = personOf(user);
  const make = () => void send(async () => setLink(await makePasswordLink(user.id ?? 0)));
  return (
    <Dialog
      title={users.linkFor(name)}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        link === undefined ? (
          <>
            <Button onPress={onClose}>{users.notNow}</Button>
            <Button kind="primary" isBusy={isBusy} onPress={make}>
              {users.makeLink}
            </Button>
          </>
        ) : (
          <Button kind="primary" onPress={onClose}>
            {users.done}
          </Button>
        )
      }
    >
      {link === undefined ? (
        <p>{users.linkAsk}</p>
      ) : (
        <ShownOnce title={users.link} words={users.linkWords} text={link} label={users.link} />
      )}
      <FaultLine words={faults.elsewhere()} />
    </Dialog>
  );
}

type Act = 'details' | 'status' | 'link' | 'sessions' | 'keys';

function UserRow({
  user,
  mayChange,
  onAct,
}: {
  readonly user: PlatformUser;
  readonly mayChange: boolean;
  onAct(act: Act): void;
}) {
  const { users } = useMessages().platformAdmin;
  const formats = useFormats();
  const person = personOf(user);
  const last = user.last_access_on;
  return (
    <tr>
      <td>
        <span className={styles['person']}>
          <Face {...person} size={24} />
          <span>
            <Main
              second={[user.username, user.email].filter((text) => text !== '' && text !== null).join(' · ')}
            >
              <a href={`/users/${user.username}`}>{user.real_name === '' ? user.username : user.real_name}</a>{' '}
              {user.is_site_administrator && <Tag>{users.administrator}</Tag>}
            </Main>
          </span>
        </span>
      </td>
      <td data-label={users.status}>
        <StatusMark status={statusOf(user)} />
      </td>
      <td data-label={users.lastAccess}>
        <Faint>{last === null ? users.never : formats.ago(last)}</Faint>
      </td>
      <td data-label={users.projects}>
        <Faint>{formats.number(user.project_count)}</Faint>
      </td>
      <td>
        {mayChange && (
          <Menu
            placement="bottom end"
            trigger={<IconButton icon="dots" size="small" label={users.actionsOf(person.name)} />}
          >
            <MenuItem icon="pencil" onAction={() => onAct('details')}>
              {users.change}
            </MenuItem>
            <MenuItem icon="ban" onAction={() => onAct('status')}>
              {users.changeStatus}
            </MenuItem>
            <MenuItem icon="link" onAction={() => onAct('link')}>
              {users.makeLink}
            </MenuItem>
            <MenuItem icon="logout" onAction={() => onAct('sessions')}>
              {users.endSessions(user.session_count)}
            </MenuItem>
            <MenuItem icon="key" isDanger onAction={() => onAct('keys')}>
              {users.revokeKeys(user.access_key_count)}
            </MenuItem>
          </Menu>
        )}
      </td>
    </tr>
  );
}

function ActDialog({
  act,
  user,
  onClose,
}: {
  readonly act: Act;
  readonly user: PlatformUser;
  onClose(): void;
}) {
  const { users } = useMessages().platformAdmin;
  const { name } = personOf(user);
  const id = user.id ?? 0;
  switch (act) {
    case 'details':
      return <Details user={user} onClose={onClose} />;
    case 'status':
      return <StatusChange user={user} onClose={onClose} />;
    case 'link':
      return <LinkDialog user={user} onClose={onClose} />;
    case 'sessions':
      return (
        <Confirm
          title={users.endSessionsOf(name)}
          confirm={users.endThem}
          run={async () => notify({ text: users.ended(await endSessions(id)) })}
          onClose={onClose}
        >
          <p>{users.endSessionsWords}</p>
        </Confirm>
      );
    case 'keys':
      return (
        <Confirm
          title={users.revokeKeysOf(name)}
          confirm={users.revokeThem}
          isDanger
          run={async () => notify({ text: users.revoked(await revokeKeys(id)) })}
          onClose={onClose}
        >
          <p>{users.revokeKeysWords}</p>
        </Confirm>
      );
  }
}

async function exportUsers(search: UserSearch, heads: readonly string[]): Promise<void> {
  const rows = (await readAllUsers(search)).map((user) => [
    user.username ?? '',
    user.real_name ?? '',
    user.email ?? '',
    user.status ?? '',
    user.created_on,
    user.last_access_on ?? '',
    String(user.project_count),
    String(user.access_key_count),
  ]);
  saveText('users.csv', 'text/csv;charset=utf-8', csvText([heads, ...rows]));
}

/** Everybody who has an account. */
export function Users() {
  const { users } = useMessages().platformAdmin;
  const given = useSearch({ from: '/admin/$page' });
  const navigate = useNavigate();
  const formats = useFormats();
  const { mayChange, isSiteAdministrator } = useAdminRights();
  const { user: self } = useStanding();
  const search: UserSearch = {
    words: given.words ?? '',
    status: isStatus(given.status) ? given.status : undefined,
    order: isOrder(given.order) ? given.order : 'name',
  };
  const list = useUsers(search);
  const [isCreating, setCreating] = useState(false);
  const [acting, setActing] = useState<{ readonly act: Act; readonly user: PlatformUser }>();
  const change = (next: Partial<Record<'words' | 'status' | 'order', string>>) =>
    void navigate({
      to: '/admin/$page',
      params: { page: 'users' },
      search: { ...given, ...next },
      replace: true,
    });
  return (
    <AdminPart
      title={users.title}
      words={users.words}
      actions={
        <Buttons>
          <Button icon="download" onPress={() => exportUsers(search, users.csvHeads).catch(tellFault)}>
            {users.csv}
          </Button>
          {mayChange && (
            <Button kind="primary" icon="user-plus" onPress={() => setCreating(true)}>
              {users.create}
            </Button>
          )}
        </Buttons>
      }
    >
      <Filters
        count={list.size === undefined ? undefined : users.count(list.size, formats.number(list.size))}
      >
        <SearchField placeholder={users.find} value={search.words} onChange={(words) => change({ words })} />
        <Select
          aria-label={users.status}
          value={search.status ?? 'all'}
          onChange={(status) => change({ status: status === 'all' ? '' : (status ?? '') })}
          options={[
            { id: 'all', name: users.anyStatus },
            ...statuses.map((id) => ({ id, name: users.statuses[id] })),
          ]}
        />
        <Select
          aria-label={users.order}
          value={search.order}
          onChange={(order) => change({ order: order ?? '' })}
          options={orders.map((id) => ({ id, name: users.orders[id] }))}
        />
      </Filters>
      <PagedPlace list={list} icon="users" empty={users.none} emptyWords={users.noneWords}>
        {(items) => (
          <Table
            label={users.title}
            columns={[users.person, users.status, users.lastAccess, users.projects, '']}
          >
            {items.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                mayChange={
                  mayChange && (isSiteAdministrator || !user.is_site_administrator || user.id === self?.id)
                }
                onAct={(act) => setActing({ act, user })}
              />
            ))}
          </Table>
        )}
      </PagedPlace>
      {isCreating && <NewUser onClose={() => setCreating(false)} />}
      {acting !== undefined && (
        <ActDialog act={acting.act} user={acting.user} onClose={() => setActing(undefined)} />
      )}
    </AdminPart>
  );
}
