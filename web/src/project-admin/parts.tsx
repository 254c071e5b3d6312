import { type ReactNode, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { announce, LeaveGuard, tellFault } from '../shell/index.ts';
import { wordsOfError } from '../store/index.ts';
import {
  Button,
  copyText,
  Dialog,
  EmptyPlace,
  ErrorPlace,
  Icon,
  type IconName,
  Skeleton,
  Unseen,
} from '../ui/index.ts';
import type { Paged } from './paged.ts';
import styles from './parts.module.css';

/** A page of an administration: its heading, one sentence about it, and its sections. */
export function AdminPart({
  title,
  words,
  actions,
  children,
}: {
  readonly title: string;
  readonly words?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['page']}>
      <div className={styles['head']}>
        <div>
          <h1 className={styles['title']}>{title}</h1>
          {words !== undefined && <p className={styles['words']}>{words}</p>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  );
}

export function Section({
  name,
  words,
  actions,
  children,
}: {
  readonly name: string;
  readonly words?: ReactNode;
  readonly actions?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <section className={styles['section']} aria-label={name}>
      <div className={styles['sectionHead']}>
        <h2 className={styles['sectionName']}>{name}</h2>
        {actions}
      </div>
      {words !== undefined && <p className={styles['sectionWords']}>{words}</p>}
      {children}
    </section>
  );
}

/** Controls above a list: search, filters, how many there are. */
export function Filters({
  count,
  children,
}: {
  readonly count?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <div className={styles['filters']}>
      {children}
      <span className={styles['count']} role="status">
        {count}
      </span>
    </div>
  );
}

/** One setting: what it is on the left, its control on the right. */
export function Row({
  name,
  words,
  children,
}: {
  readonly name: ReactNode;
  readonly words?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <div className={styles['row']}>
      <div className={styles['rowWords']}>
        <div className={styles['main']}>{name}</div>
        {words !== undefined && <div className={styles['second']}>{words}</div>}
      </div>
      <div className={styles['rowControl']}>{children}</div>
    </div>
  );
}

export function Form({
  children,
  id,
  isOff,
  onSubmit,
}: {
  readonly children: ReactNode;
  readonly id?: string;
  /** Nothing can be sent now: Enter knows nothing of a button that is busy or off. */
  readonly isOff: boolean;
  onSubmit(): void;
}) {
  return (
    <form
      id={id}
      noValidate
      className={styles['form']}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isOff) onSubmit();
      }}
    >
      {children}
    </form>
  );
}

/** A table that becomes cards on small screens: cells there say their column by `data-label`. */
export function Table({
  label,
  columns,
  children,
}: {
  readonly label: string;
  /** An empty name: a column of buttons. */
  readonly columns: readonly string[];
  readonly children: ReactNode;
}) {
  const { ui } = useMessages();
  return (
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column} scope="col">
              {column === '' ? <Unseen>{ui.more}</Unseen> : column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

export const Main = ({ children, second }: { readonly children: ReactNode; readonly second?: ReactNode }) => (
  <>
    <span className={styles['main']}>{children}</span>
    {second !== undefined && second !== null && second !== '' && (
      <span className={styles['second']}>{second}</span>
    )}
  </>
);

export const Faint = ({ children }: { readonly children: ReactNode }) => (
  <span className={styles['faint']}>{children}</span>
);

export const Buttons = ({ children }: { readonly children: ReactNode }) => (
  <div className={styles['buttons']}>{children}</div>
);

/** What is done with one row of a list; each act is called after the row for those who hear it. */
export const ChangeAndDelete = ({
  words,
  name,
  onChange,
  onDelete,
}: {
  readonly words: {
    readonly change: string;
    readonly delete: string;
    changeNamed(name: string): string;
    deleteNamed(name: string): string;
  };
  readonly name: string;
  onChange(): void;
  onDelete(): void;
}) => (
  <>
    <Button size="small" kind="quiet" aria-label={words.changeNamed(name)} onPress={onChange}>
      {words.change}
    </Button>
    <Button size="small" kind="quiet" aria-label={words.deleteNamed(name)} onPress={onDelete}>
      {words.delete}
    </Button>
  </>
);

/** A line to be copied: a secret, a link, a command. */
export function CopyLine({ text, label }: { readonly text: string; readonly label: string }) {
  const { ui } = useMessages();
  const [isCopied, setCopied] = useState(false);
  const copy = () => void copyText(text).then(() => setCopied(true));
  return (
    <section className={styles['line']} aria-label={label}>
      <code>{text}</code>
      <Button size="small" icon={isCopied ? 'check' : 'copy'} onPress={copy}>
        {isCopied ? ui.copied : ui.copy}
      </Button>
    </section>
  );
}

/** What stood there, and what stands there now. */
export function Difference({
  details,
}: {
  readonly details: { readonly before: string; readonly after: string };
}) {
  const { history } = useMessages().projectAdmin;
  const shown = (text: string) => (text === '' ? history.nothing : text);
  return (
    <span className={styles['difference']}>
      <del>{shown(details.before)}</del>
      <Icon name="arrow-right" size={13} />
      <ins>{shown(details.after)}</ins>
    </span>
  );
}

/** What is told once and never again. */
export function ShownOnce({
  title,
  words,
  text,
  label,
  children,
}: {
  readonly title: string;
  readonly words: string;
  readonly text: string;
  readonly label: string;
  readonly children?: ReactNode;
}) {
  return (
    <section className={styles['once']} aria-label={title}>
      <div className={styles['onceHead']}>
        <Icon name="key" />
        <h2>{title}</h2>
      </div>
      <p className={styles['second']}>{words}</p>
      <CopyLine text={text} label={label} />
      {children}
    </section>
  );
}

/** Asks before something is done that others notice. */
export function Confirm({
  title,
  children,
  confirm,
  isDanger = false,
  deletes,
  run,
  onClose,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly confirm: string;
  readonly isDanger?: boolean;
  /** The name of what is gone then. */
  readonly deletes?: string;
  run(): Promise<unknown>;
  onClose(): void;
}) {
  const { ui, projectAdmin } = useMessages();
  const [isBusy, setBusy] = useState(false);
  const act = async () => {
    setBusy(true);
    try {
      await run();
      if (deletes !== undefined) announce(projectAdmin.deleted(deletes));
    } catch (error) {
      tellFault(error);
    }
    onClose();
  };
  return (
    <Dialog
      title={title}
      role="alertdialog"
      isOpen
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button
            kind={isDanger || deletes !== undefined ? 'destroy' : 'primary'}
            isBusy={isBusy}
            onPress={act}
          >
            {confirm}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}

/** A form in a dialog, whose fields show the words of the server. */
export function FormDialog({
  title,
  submit,
  isBusy,
  isOff = false,
  width,
  onSubmit,
  onClose,
  children,
}: {
  readonly title: string;
  readonly submit: string;
  readonly isBusy: boolean;
  readonly isOff?: boolean;
  readonly width?: 'medium' | 'wide';
  onSubmit(): void;
  onClose(): void;
  readonly children: ReactNode;
}) {
  const { ui } = useMessages();
  return (
    <Dialog
      title={title}
      isOpen
      onClose={onClose}
      isDismissable={false}
      {...(width === undefined ? {} : { width })}
      buttons={
        <>
          <Button onPress={onClose}>{ui.cancel}</Button>
          <Button kind="primary" type="submit" form="admin-form" isBusy={isBusy} isDisabled={isOff}>
            {submit}
          </Button>
        </>
      }
    >
      <Form id="admin-form" isOff={isBusy || isOff} onSubmit={onSubmit}>
        {children}
      </Form>
    </Dialog>
  );
}

/** What the server said about what was sent, told at the field that it names. */
export interface Faults {
  /** The words about one member; null where it is not at fault. */
  at(...members: readonly string[]): string | null;
  /** The words about none of these. */
  elsewhere(...members: readonly string[]): string | null;
}

/** At its field nobody needs to be told which member is meant. */
const naming = /^Invalid value specified for `[^`]+`\.\s*/;

export function faultsOf(error: unknown): Faults {
  const words = error === undefined ? '' : wordsOfError(error);
  const names = (members: readonly string[]) => members.some((member) => words.includes(`\`${member}\``));
  return {
    at: (...members) => (words !== '' && names(members) ? words.replace(naming, '') : null),
    elsewhere: (...members) => (words !== '' && !names(members) ? words : null),
  };
}

/** Runs something that may be refused, and keeps the refusal for the fields. */
export function useSending(): {
  readonly isBusy: boolean;
  readonly faults: Faults;
  readonly error: unknown;
  send(work: () => Promise<unknown>): Promise<boolean>;
} {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const send = async (work: () => Promise<unknown>) => {
    setBusy(true);
    setError(undefined);
    try {
      await work();
      return true;
    } catch (fault) {
      setError(fault);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { isBusy, faults: faultsOf(error), error, send };
}

export const FaultLine = ({ words }: { readonly words: string | null }) =>
  words === null ? null : (
    <p role="alert" className={styles['fault']} lang="en">
      {words}
    </p>
  );

/** A list while it is read, when it could not be read, when it is empty, and with more to be read. */
export function PagedPlace<Item>({
  list,
  icon,
  empty,
  emptyWords,
  emptyActions,
  children,
}: {
  readonly list: Paged<Item>;
  readonly icon: IconName;
  readonly empty: string;
  readonly emptyWords?: string;
  readonly emptyActions?: ReactNode;
  children(items: readonly Item[]): ReactNode;
}) {
  const { ui } = useMessages();
  const { items, size, error, isAsking } = list;
  if (items === undefined)
    return error === null ? (
      <Skeleton lines={6} />
    ) : (
      <ErrorPlace words={wordsOfError(error)} onRetry={list.askAgain} />
    );
  if (items.length === 0)
    return (
      <EmptyPlace icon={icon} name={empty} {...(emptyActions === undefined ? {} : { actions: emptyActions })}>
        {emptyWords}
      </EmptyPlace>
    );
  const left = (size ?? items.length) - items.length;
  return (
    <>
      {children(items)}
      {left > 0 && (
        <div className={styles['more']}>
          <Button isBusy={isAsking} onPress={list.readMore}>
            {ui.nMore(left)}
          </Button>
        </div>
      )}
    </>
  );
}

/** Changes that are not saved yet, told at the foot of the page. */
export function UnsavedBar({
  words,
  isBusy,
  onDiscard,
  onSave,
}: {
  readonly words: string;
  readonly isBusy: boolean;
  onDiscard(): void;
  onSave(): void;
}) {
  const { ui, projectAdmin } = useMessages();
  return (
    <section className={styles['unsaved']} aria-label={projectAdmin.unsaved}>
      <LeaveGuard isNeeded />
      <span role="status">{words}</span>
      <Button kind="inverse" onPress={onDiscard}>
        {projectAdmin.discard}
      </Button>
      <Button kind="primary" isBusy={isBusy} onPress={onSave}>
        {ui.save}
      </Button>
    </section>
  );
}
