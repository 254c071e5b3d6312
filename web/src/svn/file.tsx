import { useLocation, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { EmptyPlace, LinkButton, languageName, languageOfFile, Switch } from '../ui/index.ts';
import { hashOf, linesIn, nameOf } from './addresses.ts';
import { downloadAddress, inlineAddress, type SvnTree, useFileText } from './calls.ts';
import { CodeView } from './code-view.tsx';
import type { Whereabouts } from './place.tsx';
import styles from './svn.module.css';

const picture = /\.(avif|bmp|gif|ico|jpe?g|png|svg|webp)$/i;
/** Bytes of files that are shown. */
const longestShown = 1_000_000;

/** Lines of a text as people count them. */
function textLines(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** Which lines the address names, and a way to name others. */
export function useChosenLines() {
  const { hash } = useLocation();
  const router = useRouter();
  const chosen = linesIn(hash);
  const choose = (number: number, isExtended: boolean) => {
    const other = isExtended ? (chosen?.from ?? number) : number;
    const lines = { from: Math.min(number, other), to: Math.max(number, other) };
    const { pathname, search } = window.location;
    router.history.replace(`${pathname}${search}#${hashOf(lines)}`);
  };
  return { chosen, choose };
}

function Download({
  where,
  file,
  words,
}: {
  readonly where: Whereabouts;
  readonly file: SvnTree;
  readonly words: string;
}) {
  const { svn } = useMessages();
  const href = downloadAddress(where.repository.id, where.path, file.revision);
  return (
    <div className={styles['pad']}>
      <EmptyPlace
        icon="file"
        name={nameOf(where.path)}
        actions={
          <LinkButton icon="download" href={href} download target="_self">
            {svn.download}
          </LinkButton>
        }
      >
        {words}
      </EmptyPlace>
    </div>
  );
}

/** A file as it is in one revision: its lines, a picture, or how to get it. */
export function FileView({ where, file }: { readonly where: Whereabouts; readonly file: SvnTree }) {
  const { svn } = useMessages();
  const formats = useFormats();
  const { repository, path } = where;
  const size = file.size ?? 0;
  const isPicture = picture.test(path);
  const isShown = size <= longestShown && !isPicture;
  const asked = useFileText(repository.id, path, file.revision, isShown);
  const { data: text } = asked;
  const [isWrapped, setWrapped] = useState(false);
  const { chosen, choose } = useChosenLines();
  const language = languageOfFile(path);
  if (isPicture)
    return (
      <div className={styles['picture']}>
        <img src={inlineAddress(repository.id, path, file.revision)} alt={nameOf(path)} />
        <p>{formats.size(size)}</p>
      </div>
    );
  if (size > longestShown)
    return <Download where={where} file={file} words={svn.tooLong(formats.size(size))} />;
  if (text === undefined) return <WaitingPlace asked={asked} lines={12} className={styles['pad']} />;
  if (text === null) return <Download where={where} file={file} words={svn.binary(formats.size(size))} />;
  const lines = textLines(text);
  return (
    <>
      <div className={styles['facts']}>
        <span>
          {[
            svn.lineCount(lines.length),
            formats.size(size),
            ...(language ? [languageName(language)] : []),
          ].join(', ')}
        </span>
        <Switch isSelected={isWrapped} onChange={setWrapped}>
          {svn.wrap}
        </Switch>
      </div>
      {lines.length === 0 ? (
        <p className={styles['pad']}>{svn.emptyFile}</p>
      ) : (
        <CodeView
          name={nameOf(path)}
          text={text}
          lines={lines}
          language={language}
          isWrapped={isWrapped}
          chosen={chosen}
          onChoose={choose}
        />
      )}
    </>
  );
}
