import { type FormEvent, useDeferredValue, useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { LeaveGuard } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Icon, SettingsPage, TextArea } from '../../ui/index.ts';
import { type SvnRepository, useTagCheck } from '../calls.ts';
import { FormFeet, useStoring } from './form.tsx';
import styles from './settings.module.css';

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const mostShown = 50;

function Folders({
  name,
  words,
  paths,
  icon,
}: {
  readonly name: string;
  readonly words: string;
  readonly paths: readonly string[];
  readonly icon: 'lock' | 'lock-open';
}) {
  const { svn, projects } = useMessages();
  return (
    <section aria-label={name} className={styles['preview']}>
      <h3 className={styles['sectionName']}>
        <Icon name={icon} /> {name} <span>{paths.length}</span>
      </h3>
      <p className={styles['faint']}>{words}</p>
      {paths.length === 0 ? (
        <p>{svn.tags.none}</p>
      ) : (
        <ul>
          {paths.slice(0, mostShown).map((path) => (
            <li key={path}>
              <code>{path}</code>
            </li>
          ))}
        </ul>
      )}
      {paths.length > mostShown && (
        <p className={styles['faint']}>{projects.more(paths.length - mostShown)}</p>
      )}
    </section>
  );
}

/** Folders in which what is tagged stays as it is, with what that means for the folders there are. */
export function Tags({ repository }: { readonly repository: SvnRepository }) {
  const { svn } = useMessages();
  const stored = repository.settings?.immutable_tags;
  const [paths, setPaths] = useState(stored?.paths.join('\n') ?? '');
  const [whitelist, setWhitelist] = useState(stored?.whitelist.join('\n') ?? '');
  const storing = useStoring(repository, ['immutable_tags']);
  const wish = { immutable_tags: { paths: linesOf(paths), whitelist: linesOf(whitelist) } };
  const { data, error } = useTagCheck(
    repository.id,
    linesOf(useDeferredValue(paths)),
    linesOf(useDeferredValue(whitelist)),
  );
  const isChanged = (['paths', 'whitelist'] as const).some(
    (part) => wish.immutable_tags[part].join('\n') !== storing.base?.immutable_tags[part].join('\n'),
  );
  const inWords = (given: { paths: string[]; whitelist: string[] } = { paths: [], whitelist: [] }) =>
    [svn.tags.paths, ...given.paths, svn.tags.whitelist, ...given.whitelist].join('\n');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void storing.store(wish);
  };
  return (
    <SettingsPage title={svn.pages.tags} words={svn.tags.words}>
      <LeaveGuard isNeeded={isChanged} />
      <form className={styles['form']} onSubmit={submit}>
        <TextArea
          label={svn.tags.paths}
          help={svn.tags.pathsHelp}
          value={paths}
          onChange={setPaths}
          className={styles['mono'] ?? ''}
        />
        <TextArea
          label={svn.tags.whitelist}
          help={svn.tags.whitelistHelp}
          value={whitelist}
          onChange={setWhitelist}
          className={styles['mono'] ?? ''}
        />
        <FormFeet
          {...storing}
          written={({ settings }) => ({
            theirs: inWords(settings?.immutable_tags),
            mine: inWords(wish.immutable_tags),
          })}
          onTheirs={({ settings }) => {
            setPaths(settings?.immutable_tags.paths.join('\n') ?? '');
            setWhitelist(settings?.immutable_tags.whitelist.join('\n') ?? '');
            storing.takeTheirs();
          }}
          onMine={() => void storing.store(wish, true)}
        />
      </form>
      <section className={styles['section']} aria-label={svn.tags.preview}>
        <h2 className={styles['sectionName']}>{svn.tags.preview}</h2>
        {error !== null && <p lang="en">{wordsOfError(error)}</p>}
        {data !== undefined && (
          <div className={styles['previews']}>
            <Folders icon="lock" name={svn.tags.sealed} words={svn.tags.sealedWords} paths={data.protected} />
            <Folders icon="lock-open" name={svn.tags.open} words={svn.tags.openWords} paths={data.allowed} />
          </div>
        )}
      </section>
    </SettingsPage>
  );
}
