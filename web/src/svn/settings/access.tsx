import { type FormEvent, useEffect, useId, useMemo, useState } from 'react';
import { useFormats, useMessages } from '../../messages/index.ts';
import { LeaveGuard, personOf } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import {
  AccessEditor,
  Button,
  Checkbox,
  Face,
  Icon,
  type LineRemark,
  MeaningChip,
  SettingsPage,
  Tag,
  TextDiff,
  TextField,
} from '../../ui/index.ts';
import { type SvnRepository, useAccessCheck, useAccessVersions, useGroups } from '../calls.ts';
import { FormFeet, useStoring } from './form.tsx';
import styles from './settings.module.css';

/** What somebody typed, once they pause. */
function usePaused<Value>(value: Value): Value {
  const [paused, setPaused] = useState(value);
  const key = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: values with the same content are one.
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), 300);
    return () => clearTimeout(timer);
  }, [key]);
  return paused;
}

function Remarks({
  id,
  remarks,
  isChecked,
}: {
  readonly id: string;
  readonly remarks: readonly LineRemark[];
  readonly isChecked: boolean;
}) {
  const { access } = useMessages().svn;
  return (
    <ul id={id} className={styles['remarks']} aria-live="polite">
      {remarks.map(({ line, text, isFault }) => (
        <li key={`${line} ${text}`} data-fault={isFault || undefined}>
          <Icon name={isFault ? 'alert-circle' : 'alert-triangle'} size={14} />
          <strong>{access.line(line)}</strong> <span lang="en">{text}</span>
        </li>
      ))}
      {isChecked && remarks.length === 0 && (
        <li>
          <Icon name="circle-check" size={14} /> {access.good}
        </li>
      )}
    </ul>
  );
}

function Versions({ repository, onUse }: { readonly repository: SvnRepository; onUse(text: string): void }) {
  const { svn } = useMessages();
  const { access } = svn;
  const formats = useFormats();
  const { data, fetchNextPage, hasNextPage } = useAccessVersions(repository.id);
  const [shown, setShown] = useState<number>();
  const versions = data?.pages.flatMap((page) => page.versions) ?? [];
  if (versions.length === 0) return null;
  const current = versions[0]?.access_file ?? '';
  return (
    <section className={styles['section']} aria-label={access.versions}>
      <h2 className={styles['sectionName']}>{access.versions}</h2>
      <ol className={styles['versions']}>
        {versions.map(({ version, date, user, access_file: text }, index) => (
          <li key={version}>
            <div className={styles['version']}>
              <strong>{access.version(version)}</strong>
              {user !== null && (
                <>
                  <Face {...personOf(user)} size={20} /> {personOf(user).name}
                </>
              )}
              <span className={styles['faint']}>{formats.moment(date)}</span>
              <span className={styles['grow']} />
              {index === 0 ? (
                <Tag>{access.current}</Tag>
              ) : (
                <>
                  <Button
                    kind="quiet"
                    size="small"
                    aria-expanded={shown === version}
                    aria-label={access.compareVersion(version)}
                    onPress={() => setShown(shown === version ? undefined : version)}
                  >
                    {svn.compare}
                  </Button>
                  <Button size="small" aria-label={access.againVersion(version)} onPress={() => onUse(text)}>
                    {access.useAgain}
                  </Button>
                </>
              )}
            </div>
            {shown === version && <TextDiff name={access.version(version)} before={text} after={current} />}
          </li>
        ))}
      </ol>
      {hasNextPage && <Button onPress={() => void fetchNextPage()}>{access.olderVersions}</Button>}
    </section>
  );
}

/** Who may read and write which paths: what the project writes, checked while it is typed. */
export function AccessFile({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const { access } = svn;
  const remarksId = useId();
  const stored = repository.settings;
  const [text, setText] = useState(stored?.access_file ?? '');
  const [hasDefaults, setHasDefaults] = useState(stored?.has_default_permissions ?? true);
  const [username, setUsername] = useState('');
  const [path, setPath] = useState('/');
  const storing = useStoring(repository, ['access_file', 'has_default_permissions']);
  const asked = usePaused({ text, hasDefaults, username: username.trim(), path: path.trim() || '/' });
  const { data, error, isPlaceholderData } = useAccessCheck(repository.id, asked);
  const groups = useGroups(repository.project.uri);
  const names = useMemo(
    () => [
      '@members',
      ...(groups.data ?? []).flatMap(({ id, short_name: name }) => (/_/.test(id) ? [] : [`@${name}`])),
    ],
    [groups.data],
  );
  const isCurrent = data !== undefined && !isPlaceholderData && asked.text === text;
  const remarks = useMemo(
    () => [
      ...(data?.faults ?? []).map((fault) => ({ ...fault, isFault: true })),
      ...(data?.warnings ?? []).map((warning) => ({ ...warning, isFault: false })),
    ],
    [data],
  );
  const wish = { access_file: text, has_default_permissions: hasDefaults };
  const inWords = (written = '', has = true) => `${svn.ruleIs(access.defaults, has)}\n${written.trim()}`;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void storing.store(wish);
  };
  return (
    <SettingsPage title={svn.pages.access} words={access.words}>
      <LeaveGuard
        isNeeded={
          text.trim() !== storing.base?.access_file.trim() ||
          hasDefaults !== storing.base.has_default_permissions
        }
      />
      <form className={styles['wideForm']} onSubmit={submit}>
        <Checkbox isSelected={hasDefaults} onChange={setHasDefaults} help={access.defaultsHelp}>
          {access.defaults}
        </Checkbox>
        <div className={styles['field']}>
          <span className={styles['label']} aria-hidden="true">
            {access.text}
          </span>
          <AccessEditor
            label={access.text}
            value={text}
            onChange={setText}
            remarks={isCurrent ? remarks : []}
            names={names}
            describedBy={remarksId}
          />
          <Remarks id={remarksId} remarks={isCurrent ? remarks : []} isChecked={isCurrent} />
          {error !== null && <p lang="en">{wordsOfError(error)}</p>}
        </div>
        <FormFeet
          {...storing}
          reasonNot={isCurrent && data.faults.length > 0 ? access.hasFaults : null}
          written={({ settings }) => ({
            theirs: inWords(settings?.access_file, settings?.has_default_permissions),
            mine: inWords(text, hasDefaults),
          })}
          onTheirs={({ settings }) => {
            setText(settings?.access_file ?? '');
            setHasDefaults(settings?.has_default_permissions ?? true);
            storing.takeTheirs();
          }}
          onMine={() => void storing.store(wish, true)}
        />
      </form>
      <section className={styles['section']}>
        <h2 className={styles['sectionName']}>{access.who}</h2>
        <div className={styles['row']}>
          <TextField label={access.person} value={username} onChange={setUsername} autoComplete="off" />
          <TextField label={access.path} value={path} onChange={setPath} className={styles['mono'] ?? ''} />
        </div>
        {asked.username !== '' && data?.right != null && (
          <p role="status">
            <MeaningChip meaning={data.right === '' ? 'bad' : 'good'}>
              {access.rights(data.right)}
            </MeaningChip>{' '}
            {access.rightWords(asked.username, asked.path)}
          </p>
        )}
      </section>
      <section className={styles['section']}>
        <details>
          <summary className={styles['sectionName']}>{access.effective}</summary>
          <pre className={styles['effective']}>{data?.effective}</pre>
        </details>
      </section>
      <Versions repository={repository} onUse={setText} />
    </SettingsPage>
  );
}
