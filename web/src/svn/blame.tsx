import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { personOf } from '../shell/index.ts';
import { Button, classes, Face, LinkButton, languageOfFile, Popover, RichText } from '../ui/index.ts';
import { nameOf } from './addresses.ts';
import styles from './blame.module.css';
import { type BlamedLine, type User, useAuthors, useBlame, useMessagesOf, useRendered } from './calls.ts';
import { CodeView } from './code-view.tsx';
import { useChosenLines } from './file.tsx';
import { SvnPlace, SvnWaiting, type Whereabouts } from './place.tsx';
import tools from './svn.module.css';
import { RevisionPicker, subjectOf, Tools, useWays, Ways } from './tools.tsx';

const day = 86_400_000;
/** How old a line is, in five steps from the newest. */
function shadeOf(date: string | null): number {
  if (date === null) return 5;
  const days = (Date.now() - Date.parse(date)) / day;
  return [2, 30, 183, 548].findIndex((most) => days <= most) + 1 || 5;
}

/** A revision, told beside the line that it wrote. */
function RevisionCard({
  where,
  line,
  message,
  user,
}: {
  readonly where: Whereabouts;
  readonly line: BlamedLine;
  readonly message: string;
  readonly user: User | undefined;
}) {
  const { svn } = useMessages();
  const formats = useFormats();
  const { repository, addresses, path } = where;
  const { data } = useRendered(repository.project.uri, message === '' ? undefined : message, 'text');
  const person = user === undefined ? { id: 0, name: line.author } : personOf(user);
  return (
    <div className={styles['card']}>
      <p className={styles['cardHead']}>
        <strong>r{line.revision}</strong>
        <Face {...person} size={20} />
        <span>{person.name}</span>
        <span className={styles['cardTime']}>{line.date !== null && formats.moment(line.date)}</span>
      </p>
      {data === undefined ? <p>{message}</p> : <RichText html={data.html} />}
      <div className={styles['cardActs']}>
        <LinkButton href={addresses.revision(line.revision)}>{svn.open(line.revision)}</LinkButton>
        {line.revision > 1 && (
          <LinkButton href={addresses.page('blame', path, { rev: line.revision - 1 })}>
            {svn.blameBefore}
          </LinkButton>
        )}
      </div>
    </div>
  );
}

function Told({
  where,
  line,
  isFirst,
  message,
  user,
}: {
  readonly where: Whereabouts;
  readonly line: BlamedLine;
  readonly isFirst: boolean;
  readonly message: string;
  readonly user: User | undefined;
}) {
  const formats = useFormats();
  const [isOpen, setOpen] = useState(false);
  const shade = styles[`shade${shadeOf(line.date)}`];
  if (!isFirst) return <span className={classes(styles['told'], shade)} />;
  const person = user === undefined ? { id: 0, name: line.author } : personOf(user);
  return (
    <span className={classes(styles['told'], styles['first'], shade)}>
      <Popover
        label={`r${line.revision}`}
        placement="bottom start"
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button kind="quiet" size="small" className={styles['revision'] ?? ''}>
            r{line.revision}
          </Button>
        }
      >
        {isOpen && <RevisionCard where={where} line={line} message={message} user={user} />}
      </Popover>
      <Face {...person} size={16} isNamed />
      <span className={styles['message']}>{subjectOf(message)}</span>
      <span className={styles['age']}>{line.date !== null && formats.day(line.date)}</span>
    </span>
  );
}

/** `…/blame/{path}`: who wrote which line, and when. */
export function BlamePage({ where }: { readonly where: Whereabouts }) {
  const { svn } = useMessages();
  const { repository, path, revision } = where;
  const { data, error, refetch, isFetching } = useBlame(repository.id, path, revision);
  const { data: messages } = useMessagesOf(repository.id, path, data?.revision);
  const authors = useAuthors(data?.lines.map(({ author }) => author) ?? []);
  const { chosen, choose } = useChosenLines();
  const ways = useWays(where, 'blame', true);
  if (data === undefined) return <SvnWaiting where={where} page="blame" asked={{ error, refetch }} />;
  const { lines } = data;
  const texts = lines.map(({ text }) => text);
  return (
    <SvnPlace where={where} page="blame" isAsking={isFetching} fillsHeight>
      <Tools>
        <RevisionPicker where={where} page="blame" shown={data.revision} />
        <span>{svn.lineCount(lines.length)}</span>
        <span className={tools['grow']} />
        <span className={styles['legend']} aria-hidden="true">
          {svn.older}
          {[5, 4, 3, 2, 1].map((shade) => (
            <i key={shade} className={styles[`shade${shade}`]} />
          ))}
          {svn.newer}
        </span>
        <Ways label={svn.views} ways={ways} />
      </Tools>
      <CodeView
        name={nameOf(path)}
        text={texts.join('\n')}
        lines={texts}
        language={languageOfFile(path)}
        chosen={chosen}
        onChoose={choose}
        lineHeight={21}
        before={(index) => {
          const line = lines[index];
          return (
            line && (
              <Told
                where={where}
                line={line}
                isFirst={line.revision !== lines[index - 1]?.revision}
                message={messages?.get(line.revision) ?? ''}
                user={authors.get(line.author)}
              />
            )
          );
        }}
      />
    </SvnPlace>
  );
}
