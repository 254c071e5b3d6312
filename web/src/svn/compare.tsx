import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useMemo, useState } from 'react';
import { type DiffFile, readUnifiedDiff } from '../kernel/unified-diff.ts';
import { useMessages } from '../messages/index.ts';
import { Outline, Part, ProblemPage, WaitingPlace } from '../shell/index.ts';
import { Button, EmptyPlace, Note, NumberField } from '../ui/index.ts';
import { nameOf } from './addresses.ts';
import { comparisonAddress, useDiffText, useLastRevisions } from './calls.ts';
import { DiffView, Sums, useDiffLook } from './diff-view.tsx';
import { SvnPlace, type Whereabouts } from './place.tsx';
import styles from './svn.module.css';
import { Tools, useWays, Ways } from './tools.tsx';

/** Paths of a comparison are told from what is compared; those of a file are its name alone. */
const wholePath = (path: string, file: string) =>
  nameOf(path) === file ? path : path === '' ? file : `${path}/${file}`;

function Between({
  where,
  from,
  to,
}: {
  readonly where: Whereabouts;
  readonly from: number;
  readonly to: number;
}) {
  const { svn } = useMessages();
  const navigate = useNavigate();
  const [left, setLeft] = useState(from);
  const [right, setRight] = useState(to);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ to: where.addresses.page('compare', where.path, { from: left, to: right }) });
  };
  return (
    <form className={styles['between']} onSubmit={submit}>
      <NumberField aria-label={svn.fromRevision} value={left} minValue={0} onChange={setLeft} />
      <span>…</span>
      <NumberField aria-label={svn.toRevision} value={right} minValue={0} onChange={setRight} />
      <Button type="submit" size="small">
        {svn.compare}
      </Button>
    </form>
  );
}

function Compared({
  where,
  from,
  to,
}: {
  readonly where: Whereabouts;
  readonly from: number;
  readonly to: number;
}) {
  const { svn } = useMessages();
  const { repository, addresses, path } = where;
  const asked = useDiffText([comparisonAddress(repository.id, path, from, to)]);
  const { data, isFetching } = asked;
  const files = useMemo(
    () => readUnifiedDiff(data?.text ?? '').map((file) => ({ ...file, path: wholePath(path, file.path) })),
    [data, path],
  );
  const look = useDiffLook();
  const ways = useWays({ ...where, revision: to }, 'compare', /\.[^/]*$/.test(path));
  const waysOf = ({ path: file, change }: DiffFile) =>
    change === 'deleted'
      ? []
      : [
          { name: svn.file, to: addresses.page('file', file, { rev: to }) },
          { name: svn.log, to: addresses.page('log', file, { from: to }) },
        ];
  return (
    <SvnPlace where={where} page="compare" isAsking={isFetching} fillsHeight>
      <Tools>
        <Between key={`${from} ${to}`} where={where} from={from} to={to} />
        <Sums files={files} />
        <span className={styles['grow']} />
        {look.controls}
        <Ways label={svn.views} ways={ways} />
      </Tools>
      <Part name="diff">
        <WaitingPlace asked={asked} lines={10} className={styles['pad']} />
        {data !== undefined && files.length === 0 && (
          <div className={styles['pad']}>
            <EmptyPlace icon="check" name={svn.noDifference}>
              {svn.noDifferenceWords(from, to)}
            </EmptyPlace>
          </div>
        )}
        {data?.isCut === true && <Note meaning="care">{svn.cutDiff}</Note>}
        {files.length > 0 && (
          <DiffView
            name={svn.differences}
            files={files}
            isSideBySide={look.isSideBySide}
            hidesBlanks={look.hidesBlanks}
            ways={waysOf}
          />
        )}
      </Part>
    </SvnPlace>
  );
}

/** `…/compare/{path}?from=&to=`: how a path differs between two revisions; the last two that changed it unless said. */
export function ComparePage({
  where,
  from,
  to,
}: {
  readonly where: Whereabouts;
  readonly from: number | undefined;
  readonly to: number | undefined;
}) {
  const { repository, path } = where;
  const { data, error, refetch } = useLastRevisions(repository.id, path);
  if (from !== undefined && to !== undefined) return <Compared where={where} from={from} to={to} />;
  if (data === undefined)
    return error === null ? <Outline /> : <ProblemPage error={error} askAgain={() => void refetch()} />;
  const newest = to ?? data[0]?.revision ?? 0;
  const before = from ?? data[1]?.revision ?? Math.max(0, newest - 1);
  return <Compared where={where} from={before} to={newest} />;
}
