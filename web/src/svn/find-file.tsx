import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { BareDialog, classes, Icon } from '../ui/index.ts';
import { nameOf } from './addresses.ts';
import { useFoundFiles } from './calls.ts';
import type { Whereabouts } from './place.tsx';
import styles from './svn.module.css';

/** Files below a folder, found by parts of their names. */
export function FindFile({ where, onClose }: { readonly where: Whereabouts; onClose(): void }) {
  const { svn } = useMessages();
  const navigate = useNavigate();
  const list = useId();
  const [words, setWords] = useState('');
  const [current, setCurrent] = useState(0);
  const asked = useDeferredValue(words.trim());
  const { repository, addresses, path, revision } = where;
  const { data } = useFoundFiles(repository.id, asked, path, revision);
  const files = data?.files ?? [];
  const open = (file: string | undefined) => {
    if (file === undefined) return;
    onClose();
    void navigate({ to: addresses.page('file', file, { rev: revision }) });
  };
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setCurrent(Math.max(0, Math.min(files.length - 1, current + step)));
    else if (event.key === 'Enter') open(files[current]);
    else return;
    event.preventDefault();
  };
  return (
    <BareDialog label={svn.findFile} isOpen onClose={onClose} width="palette" isDismissable>
      <div className={styles['finder']}>
        <div className={styles['finderBox']}>
          <Icon name="search" />
          <input
            // biome-ignore lint/a11y/noAutofocus: it was opened to be typed into.
            autoFocus
            role="combobox"
            aria-expanded={files.length > 0}
            aria-controls={list}
            aria-activedescendant={files.length > 0 ? `${list}-${current}` : undefined}
            aria-label={svn.findFileIn(path === '' ? repository.name : path)}
            placeholder={svn.findFileIn(path === '' ? repository.name : path)}
            value={words}
            onChange={({ target }) => {
              setWords(target.value);
              setCurrent(0);
            }}
            onKeyDown={press}
          />
        </div>
        <div role="listbox" id={list} aria-label={svn.foundFiles} className={styles['found']}>
          {files.map((file, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: arrows and Enter in the box do it
            <div
              key={file}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === current}
              tabIndex={-1}
              className={classes(styles['foundFile'], index === current && styles['foundCurrent'])}
              onClick={() => open(file)}
            >
              <Icon name="file" />
              <span className={styles['foundName']}>{nameOf(file)}</span>
              <span className={styles['foundPath']}>{file.slice(1)}</span>
            </div>
          ))}
        </div>
        {data !== undefined && files.length === 0 && <p className={styles['foundNone']}>{svn.noFile}</p>}
        {data?.is_cut === true && <p className={styles['foundNone']}>{svn.moreFiles}</p>}
      </div>
    </BareDialog>
  );
}
