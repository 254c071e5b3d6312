import { useLocation } from '@tanstack/react-router';
import { Fragment } from 'react';
import { Link } from 'react-aria-components';
import { useFormats, useMessages } from '../messages/index.ts';
import { AdminPart, saveText } from '../project-admin/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { Button, classes, Icon, LinkButton } from '../ui/index.ts';
import { checkHealthNow, type PlatformHealth, useHealth } from './calls.ts';
import styles from './platform-admin.module.css';

type Check = PlatformHealth['checks'][number];
type PlaceLabel = 'tryMail' | 'lookAtMails' | 'makeBackup';

/** Words in which commands stand between backticks, and pages go by their addresses. */
function Words({ text, isOwn }: { readonly text: string; readonly isOwn: boolean }) {
  if (text === '') return null;
  let at = 0;
  const pieces = text.split(/(`[^`]*`|\/admin\/[\w-]+)/).map((words) => {
    const piece = { at, words };
    at += words.length;
    return piece;
  });
  return (
    <span lang={isOwn ? undefined : 'en'}>
      {pieces.map(({ at: place, words }) => {
        if (words.startsWith('`')) return <code key={place}>{words.slice(1, -1)}</code>;
        if (words.startsWith('/admin/'))
          return (
            <Link key={place} href={words} className={styles['remedy'] ?? ''}>
              {words}
            </Link>
          );
        return <Fragment key={place}>{words}</Fragment>;
      })}
    </span>
  );
}

/** Where something is done about a check. */
const places: Readonly<Record<string, { readonly page: string; readonly label: PlaceLabel }>> = {
  mail: { page: '/admin/mail', label: 'tryMail' },
  'given-up mails': { page: '/admin/mail', label: 'lookAtMails' },
  backup: { page: '/admin/backups', label: 'makeBackup' },
};

/** What was found, in the language of the page where it has words for it. */
function useWordsOf({ code, facts, text, remedy }: Check) {
  const { findings } = useMessages().platformAdmin.health;
  const own = findings[code]?.(facts);
  return own === undefined ? { text, remedy, isOwn: false } : { remedy: '', ...own, isOwn: true };
}

export function NeedsHand({ check }: { readonly check: Check }) {
  const { health } = useMessages().platformAdmin;
  const isFault = check.state === 'fault';
  const { pathname } = useLocation();
  const place = places[check.name];
  const { text, remedy, isOwn } = useWordsOf(check);
  return (
    <section
      className={classes(styles['hand'], isFault ? styles['fault'] : styles['warning'])}
      aria-label={health.names[check.name] ?? check.name}
    >
      <Icon name={isFault ? 'alert-circle' : 'alert-triangle'} />
      <h2 className={styles['handName']}>{health.names[check.name] ?? check.name}</h2>
      <div className={styles['handWords']}>
        <p>
          <Words text={text} isOwn={isOwn} />
        </p>
        {remedy !== '' && (
          <p>
            <strong>{health.remedy}</strong> <Words text={remedy} isOwn={isOwn} />
          </p>
        )}
        {place !== undefined && place.page !== pathname && (
          <p>
            <LinkButton href={place.page}>{health[place.label]}</LinkButton>
          </p>
        )}
      </div>
      <span className={styles['handState']}>{health.states[check.state]}</span>
    </section>
  );
}

function Well({ check, second }: { readonly check: Check; readonly second: string }) {
  const { health } = useMessages().platformAdmin;
  const { text, isOwn } = useWordsOf(check);
  return (
    <li className={styles['well']}>
      <Icon name="circle-check" />
      <span className={styles['wellName']}>{health.names[check.name] ?? check.name}</span>
      <span className={styles['wellWords']}>
        <Words text={text} isOwn={isOwn} />
      </span>
      <span className={styles['wellSecond']}>{second}</span>
    </li>
  );
}

/** What the platform rests on: what needs a hand first, what is well a line each. */
export function Health() {
  const { health } = useMessages().platformAdmin;
  const formats = useFormats();
  const asked = useHealth();
  const { data, isFetching } = asked;
  if (data === undefined)
    return (
      <AdminPart title={health.title}>
        <WaitingPlace asked={asked} lines={8} />
      </AdminPart>
    );
  const wrong = data.checks.filter(({ state }) => state !== 'ok');
  const sorted = [
    ...wrong.filter(({ state }) => state === 'fault'),
    ...wrong.filter(({ state }) => state !== 'fault'),
  ];
  const figures: Readonly<Record<string, string>> = {
    database: formats.size(data.database_bytes),
    files: formats.size(data.file_bytes),
    'free space': formats.size(data.disk_free_bytes),
    mail: health.waiting(data.queues.mails),
  };
  return (
    <AdminPart
      title={health.needs(wrong.length)}
      words={health.checked(formats.time(data.checked_on))}
      actions={
        <Button icon="refresh" isBusy={isFetching} onPress={() => void checkHealthNow()}>
          {health.checkNow}
        </Button>
      }
    >
      {sorted.map((check) => (
        <NeedsHand key={`${check.name} ${check.text}`} check={check} />
      ))}
      <ul className={styles['wells']}>
        {data.checks
          .filter(({ state }) => state === 'ok')
          .map((check) => (
            <Well key={`${check.name} ${check.text}`} check={check} second={figures[check.name] ?? ''} />
          ))}
        <Well
          check={{ name: 'queues', state: 'ok', text: '', remedy: '', code: '', facts: {} }}
          second={health.queues(data.queues.outbox, data.queues.webhooks, data.queues.imports)}
        />
      </ul>
      <p className={styles['foot']}>
        <span>
          {health.version(data.version, data.engine)} · {health.since(formats.moment(data.started_on))} ·{' '}
          {health.memory(formats.size(data.memory_bytes), data.threads)}
        </span>
        <span className={styles['footLinks']}>
          <a href="/metrics" target="_blank" rel="noreferrer">
            {health.metrics}
          </a>
          <Button
            kind="quiet"
            size="small"
            onPress={() => saveText('atelier-health.json', 'application/json', JSON.stringify(data, null, 2))}
          >
            {health.report}
          </Button>
        </span>
      </p>
    </AdminPart>
  );
}
