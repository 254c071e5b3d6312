import { type FormEvent, useState } from 'react';
import { deviceMoment } from '../kernel/device-clock.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import { announce, LeaveGuard, notify, tellFault } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import {
  Button,
  Checkbox,
  CheckboxGroup,
  copyText,
  Dialog,
  EmptyPlace,
  ErrorPlace,
  Icon,
  IconButton,
  Note,
  RelativeTime,
  SettingsPage,
  Skeleton,
  Tag,
  TextField,
  Unseen,
} from '../ui/index.ts';
import styles from './account.module.css';
import { type AccessKey, makeAccessKey, removeAccessKey, useAccessKeys } from './calls.ts';
import { isOfInput } from './faults.ts';

const newest = (left: AccessKey, right: AccessKey) => right.id - left.id;

const isOver = (key: AccessKey) => key.expiration_date !== null && new Date(key.expiration_date) < new Date();

/** What a key is called: its description, or its number. */
function useNameOf() {
  const { keys } = useMessages().account;
  return ({ id, description }: AccessKey) => (description === '' ? keys.key(id) : description);
}

function useCopying(): readonly [isCopied: boolean, copy: (text: string) => void] {
  const { keys } = useMessages().account;
  const [isCopied, setCopied] = useState(false);
  const copy = (text: string) =>
    void copyText(text).then(() => {
      setCopied(true);
      announce(keys.copied);
    });
  return [isCopied, copy];
}

/** The key, this once. It is held by this component alone and gone with it. */
function ShownOnce({ text, onCopied }: { readonly text: string; onCopied(): void }) {
  const { keys } = useMessages().account;
  const [isCopied, copy] = useCopying();
  const [isLineCopied, copyLine] = useCopying();
  const line = `curl -H "X-Auth-AccessKey: $KEY" ${window.location.origin}/api/projects`;
  return (
    <section className={styles['shownOnce']} aria-label={keys.copyNow}>
      <h2 className={styles['onceHead']}>
        <Icon name="key" />
        {keys.copyNow}
      </h2>
      <div className={styles['onceBody']}>
        <p className={styles['onceWords']}>{keys.copyNowWords}</p>
        <div className={styles['key']}>
          <Unseen>{keys.theKey}</Unseen>
          <code>{text}</code>
          <Button
            kind="primary"
            icon={isCopied ? 'check' : 'copy'}
            autoFocus
            onPress={() => {
              copy(text);
              onCopied();
            }}
          >
            {isCopied ? keys.copied : keys.copy}
          </Button>
        </div>
        <p className={styles['tryIt']}>{keys.tryIt}</p>
        <div className={styles['line']}>
          <code>{line}</code>
          <IconButton
            icon={isLineCopied ? 'check' : 'copy'}
            label={keys.copyLine}
            size="small"
            onPress={() => copyLine(line)}
          />
        </div>
      </div>
    </section>
  );
}

const scopeNames = ['write:rest', 'read:rest', 'write:svn', 'read:svn'] as const;

/** Asks what the key is for; nothing but its purpose is needed. */
function NewKeyDialog({ onClose, onMade }: { onClose(): void; onMade(text: string): void }) {
  const { account, ui } = useMessages();
  const { keys } = account;
  const [description, setDescription] = useState('');
  const [lastDay, setLastDay] = useState('');
  const [scopes, setScopes] = useState<readonly string[]>(['write:rest']);
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<{ readonly words: string; readonly isOfInput: boolean }>();
  const words = [keys.rest, keys.restRead, keys.svn, keys.svnRead];
  const isPast = lastDay !== '' && lastDay < deviceMoment(Date.now()).slice(0, 10);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isBusy || scopes.length === 0 || isPast) return;
    setBusy(true);
    setFault(undefined);
    try {
      onMade(await makeAccessKey({ description, lastDay, scopes }));
    } catch (error) {
      setFault({ words: wordsOfError(error), isOfInput: isOfInput(error) });
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={keys.generate}
      isOpen
      onClose={onClose}
      isDismissable={false}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="new-key" isBusy={isBusy}>
            {keys.make}
          </Button>
        </>
      }
    >
      {fault?.isOfInput === false && (
        <Note meaning="bad" isAlert>
          {fault.words}
        </Note>
      )}
      <form id="new-key" className={styles['form']} noValidate onSubmit={submit}>
        <TextField
          label={`${keys.description} (${ui.optional})`}
          help={keys.descriptionHelp}
          value={description}
          onChange={setDescription}
          autoFocus
          fault={fault?.isOfInput ? fault.words : null}
        />
        <TextField
          label={`${keys.lastDay} (${ui.optional})`}
          help={keys.lastDayHelp}
          type="date"
          value={lastDay}
          onChange={setLastDay}
          fault={isPast ? keys.dayOver : null}
        />
        <CheckboxGroup
          label={keys.whatFor}
          value={[...scopes]}
          onChange={setScopes}
          fault={scopes.length === 0 ? keys.scopeMissing : null}
        >
          {scopeNames.map((scope, index) => (
            <Checkbox key={scope} value={scope}>
              {words[index]}
            </Checkbox>
          ))}
        </CheckboxGroup>
      </form>
    </Dialog>
  );
}

/** Asks before a key stops working, and tells who may still use it. */
function DeleteDialog({ accessKey, onClose }: { readonly accessKey: AccessKey; onClose(): void }) {
  const { keys } = useMessages().account;
  const formats = useFormats();
  const nameOf = useNameOf();
  const [isBusy, setBusy] = useState(false);
  const name = nameOf(accessKey);
  const { last_used_on: used, last_used_by: address } = accessKey;
  const remove = async () => {
    setBusy(true);
    try {
      await removeAccessKey(accessKey.id);
      notify({ text: keys.deleted(name) });
      onClose();
    } catch (error) {
      tellFault(error);
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={keys.deleteTitle}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{keys.keep}</Button>
          <Button kind="destroy" isBusy={isBusy} onPress={remove}>
            {keys.delete}
          </Button>
        </>
      }
    >
      <p>{keys.deleteWords(name)}</p>
      <p>{used === null ? keys.deleteNeverUsed : keys.deleteLastUse(formats.ago(used), address ?? '')}</p>
    </Dialog>
  );
}

function Expiry({ accessKey }: { readonly accessKey: AccessKey }) {
  const { keys } = useMessages().account;
  const formats = useFormats();
  const { expiration_date: date } = accessKey;
  if (date === null) return keys.never;
  if (isOver(accessKey)) return <span className={styles['over']}>{keys.expired(formats.day(date))}</span>;
  return <time dateTime={date}>{formats.day(date)}</time>;
}

function LastUse({ accessKey }: { readonly accessKey: AccessKey }) {
  const { keys } = useMessages().account;
  const { last_used_on: used, last_used_by: address, creation_date: made } = accessKey;
  const isNew = Date.now() - new Date(made).getTime() < 60_000;
  if (used === null)
    return (
      <span className={styles['faint']}>
        {keys.neverUsed}
        {isNew && <span className={styles['second']}>{keys.justMade}</span>}
      </span>
    );
  return (
    <>
      <RelativeTime at={used} />
      {address !== null && <span className={styles['second']}>{keys.from(address)}</span>}
    </>
  );
}

function KeyRow({ accessKey, onDelete }: { readonly accessKey: AccessKey; onDelete(): void }) {
  const { keys } = useMessages().account;
  const formats = useFormats();
  const nameOf = useNameOf();
  const { id, description, scopes, creation_date: made } = accessKey;
  const tags: Readonly<Record<string, string>> = keys.scopeTag;
  return (
    <tr>
      <td>
        <span className={description === '' ? styles['faint'] : styles['main']}>
          {description === '' ? keys.noDescription : description}
        </span>
        <span className={styles['second']}>{keys.key(id)}</span>
      </td>
      <td data-label={keys.whatFor}>
        <span className={styles['tags']}>
          {scopes.map(({ identifier }) => (
            <Tag key={identifier}>{tags[identifier] ?? identifier}</Tag>
          ))}
        </span>
      </td>
      <td data-label={keys.created} className={styles['faint']}>
        {formats.daysUntil(made) === 0 ? keys.today : formats.day(made)}
      </td>
      <td data-label={keys.expires}>
        <Expiry accessKey={accessKey} />
      </td>
      <td data-label={keys.lastUsed}>
        <LastUse accessKey={accessKey} />
      </td>
      <td>
        <Button kind="quiet" size="small" aria-label={keys.deleteKey(nameOf(accessKey))} onPress={onDelete}>
          {keys.delete}
        </Button>
      </td>
    </tr>
  );
}

function KeyTable({
  list,
  onDelete,
}: {
  readonly list: readonly AccessKey[];
  onDelete(key: AccessKey): void;
}) {
  const { keys } = useMessages().account;
  return (
    <table className={styles['table']}>
      <thead>
        <tr>
          <th scope="col">{keys.description}</th>
          <th scope="col">{keys.whatFor}</th>
          <th scope="col">{keys.created}</th>
          <th scope="col">{keys.expires}</th>
          <th scope="col">{keys.lastUsed}</th>
          <th scope="col">
            <Unseen>{keys.delete}</Unseen>
          </th>
        </tr>
      </thead>
      <tbody>
        {list.map((accessKey) => (
          <KeyRow key={accessKey.id} accessKey={accessKey} onDelete={() => onDelete(accessKey)} />
        ))}
      </tbody>
    </table>
  );
}

/** Personal API access keys. */
export function AccessKeys() {
  const { account, ui } = useMessages();
  const { keys } = account;
  const list = useAccessKeys();
  const [isMaking, setMaking] = useState(false);
  const [made, setMade] = useState<{ readonly text: string; readonly isCopied: boolean }>();
  const [deleted, setDeleted] = useState<AccessKey>();
  const generate = (
    <Button icon="plus" onPress={() => setMaking(true)}>
      {keys.generate}
    </Button>
  );
  return (
    <SettingsPage title={keys.title} words={keys.words}>
      {made !== undefined && (
        <ShownOnce key={made.text} text={made.text} onCopied={() => setMade({ ...made, isCopied: true })} />
      )}
      <section className={styles['section']}>
        <div className={styles['sectionHead']}>
          <h2 className={styles['sectionName']}>
            {keys.yours} {list.size !== undefined && <span>{list.size}</span>}
          </h2>
          {generate}
        </div>
        {list.keys === undefined && list.error === null && <Skeleton lines={4} />}
        {list.error !== null && list.keys === undefined && (
          <ErrorPlace words={wordsOfError(list.error)} onRetry={list.askAgain} />
        )}
        {list.keys?.length === 0 && (
          <EmptyPlace icon="key" name={keys.none}>
            {keys.noneWords}
          </EmptyPlace>
        )}
        {list.keys !== undefined && list.keys.length > 0 && (
          <KeyTable list={list.keys.toSorted(newest)} onDelete={setDeleted} />
        )}
        {list.hasMore && (
          <Button className={styles['more'] ?? ''} onPress={list.readMore} isBusy={list.isAsking}>
            {ui.nMore((list.size ?? 0) - (list.keys?.length ?? 0))}
          </Button>
        )}
      </section>
      {isMaking && (
        <NewKeyDialog
          onClose={() => setMaking(false)}
          onMade={(text) => {
            setMaking(false);
            setMade({ text, isCopied: false });
          }}
        />
      )}
      {deleted !== undefined && <DeleteDialog accessKey={deleted} onClose={() => setDeleted(undefined)} />}
      <LeaveGuard isNeeded={made !== undefined && !made.isCopied} title={keys.leaveTitle}>
        {keys.leaveWords}
      </LeaveGuard>
    </SettingsPage>
  );
}
