import { type FormEvent, useEffect, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { notify, personOf } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Button, IconButton, SettingsPage, TextField, type Token, TokenField } from '../../ui/index.ts';
import {
  type SvnRepository,
  storeMailSettings,
  useGroups,
  useMailSettings,
  usePeopleLike,
} from '../calls.ts';
import { FormFeet, useStoring } from './form.tsx';
import styles from './settings.module.css';

interface Row {
  readonly key: number;
  readonly path: string;
  readonly emails: readonly Token[];
  readonly users: readonly Token[];
  readonly groups: readonly Token[];
}

const tokenOf = (name: string): Token => ({ id: name, name });

const rowsOf = ({ settings }: SvnRepository): Row[] =>
  (settings?.email_notifications ?? []).map(({ path, emails, users, user_groups: groups }, key) => ({
    key,
    path,
    emails: emails.map(tokenOf),
    users: users.map((user) => ({ id: String(user.id), name: personOf(user).name })),
    groups: groups.map(({ id, label }) => ({ id, name: label })),
  }));

const inWords = (rows: readonly Row[]) =>
  rows
    .map(({ path, emails, users, groups }) =>
      [path.trim(), ...[...emails, ...users, ...groups].map(({ name }) => `  ${name}`)].join('\n'),
    )
    .join('\n');

function NotificationRow({
  row,
  project,
  isNew,
  onChange,
  onRemove,
}: {
  readonly row: Row;
  readonly project: string;
  /** One goes on with what was just added. */
  readonly isNew: boolean;
  onChange(row: Row): void;
  onRemove(): void;
}) {
  const { mails } = useMessages().svn;
  const [words, setWords] = useState('');
  const people = usePeopleLike(words).data ?? [];
  const groups = useGroups(project).data ?? [];
  return (
    <fieldset className={styles['notification']}>
      <legend className={styles['label']}>{row.path === '' ? mails.rule : row.path}</legend>
      <TextField
        label={mails.path}
        value={row.path}
        onChange={(path) => onChange({ ...row, path })}
        autoFocus={isNew}
        className={styles['mono'] ?? ''}
      />
      <TokenField
        label={mails.people}
        value={row.users}
        onChange={(users) => onChange({ ...row, users })}
        onSearch={setWords}
        options={people.map((user) => ({
          id: String(user.id),
          name: personOf(user).name,
          second: user.username ?? '',
        }))}
      />
      <TokenField
        label={mails.groups}
        value={row.groups}
        onChange={(chosen) => onChange({ ...row, groups: chosen })}
        options={groups.map(({ id, label }) => ({ id, name: label }))}
      />
      <TokenField
        label={mails.addresses}
        value={row.emails}
        onChange={(emails) => onChange({ ...row, emails })}
        options={[]}
        create={tokenOf}
      />
      <IconButton icon="trash" size="small" label={mails.remove(row.path)} onPress={onRemove} />
    </fieldset>
  );
}

function SubjectHeader({ repository }: { readonly repository: SvnRepository }) {
  const { svn, ui } = useMessages();
  const { data } = useMailSettings(repository.id);
  const [text, setText] = useState<string>();
  const [fault, setFault] = useState<string>();
  useEffect(() => setText((typed) => typed ?? data?.subject_header), [data]);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      await storeMailSettings(repository.id, text ?? '');
      setFault(undefined);
      notify({ text: svn.saved });
    } catch (error) {
      setFault(wordsOfError(error));
    }
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <TextField
        label={svn.mails.header}
        help={svn.mails.headerHelp}
        value={text ?? ''}
        onChange={setText}
        fault={fault ?? null}
      />
      <Button type="submit">{ui.save}</Button>
    </form>
  );
}

/** Who gets a mail about commits below which path. */
export function Notifications({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const { mails } = svn;
  const [rows, setRows] = useState(() => rowsOf(repository));
  const [added, setAdded] = useState<number>();
  const storing = useStoring(repository, ['email_notifications']);
  const wish = {
    email_notifications: rows.map(({ path, emails, users, groups }) => ({
      path: path.trim(),
      emails: emails.map(({ name }) => name),
      users: users.map(({ id }) => Number(id)),
      user_groups: groups.map(({ id }) => id),
    })),
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void storing.store(wish);
  };
  const add = () => {
    const key = rows.reduce((most, row) => Math.max(most, row.key + 1), 0);
    setAdded(key);
    setRows([...rows, { key, path: '/', emails: [], users: [], groups: [] }]);
  };
  return (
    <SettingsPage title={svn.pages.notifications} words={mails.words}>
      <form className={styles['wideForm']} onSubmit={submit}>
        {rows.map((row) => (
          <NotificationRow
            key={row.key}
            row={row}
            project={repository.project.uri}
            isNew={row.key === added}
            onChange={(changed) => setRows(rows.map((one) => (one.key === row.key ? changed : one)))}
            onRemove={() => setRows(rows.filter((one) => one.key !== row.key))}
          />
        ))}
        <Button icon="plus" onPress={add}>
          {mails.add}
        </Button>
        <FormFeet
          {...storing}
          written={(theirs) => ({ theirs: inWords(rowsOf(theirs)), mine: inWords(rows) })}
          onTheirs={(theirs) => {
            setRows(rowsOf(theirs));
            storing.takeTheirs();
          }}
          onMine={() => void storing.store(wish, true)}
        />
      </form>
      <section className={styles['section']}>
        <SubjectHeader repository={repository} />
      </section>
    </SettingsPage>
  );
}
