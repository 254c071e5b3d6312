import { ApiError } from '@atelier/client';
import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import { notify } from '../shell/index.ts';
import { againAfter, isChanging, wordsOfError } from '../store/index.ts';
import { isNarrowed, Nothing, RowDialog, type ViewProps } from '../tracker/index.ts';
import { Button, EmptyPlace, ErrorPlace, LinkButton, Menu, MenuItem, Skeleton } from '../ui/index.ts';
import styles from './board.module.css';
import { askBoardAgain } from './calls.ts';
import { type DragActs, useDragging } from './drag.ts';
import { BoardGrid } from './grid.tsx';
import { usePut } from './put.ts';
import { columnLists, planOf, writtenColumns } from './settings.ts';
import { Tools } from './tools.tsx';
import { type Board, type BoardProps, useBoard } from './use-board.ts';
import { WhichValue } from './which.tsx';

/** A tracker as a board. */
export function BoardView(props: ViewProps) {
  const { tracker, settings } = props;
  const plan = useMemo(() => planOf(tracker, settings), [tracker, settings]);
  if (plan.by === undefined) return <NoColumns {...props} />;
  return <OfColumns {...props} plan={plan} by={plan.by} />;
}

/** Nothing that columns could stand for is set: where there is a list, it can be chosen. */
function NoColumns({ tracker, onSettings }: ViewProps) {
  const { board: words, nothing } = useMessages();
  const lists = columnLists(tracker);
  if (lists.length > 0)
    return (
      <div className={styles['state']}>
        <EmptyPlace
          icon="layout-kanban"
          name={words.noStatus}
          actions={
            <Menu
              aria-label={words.columns}
              onAction={(key) => onSettings({ columns_by: String(key) })}
              trigger={<Button opens>{words.columns}</Button>}
            >
              {lists.map(({ name, label }) => (
                <MenuItem key={name} id={name}>
                  {label}
                </MenuItem>
              ))}
            </Menu>
          }
        >
          {words.noStatusText}
        </EmptyPlace>
      </div>
    );
  return (
    <div className={styles['state']}>
      <EmptyPlace
        icon="layout-kanban"
        name={words.noColumns}
        actions={
          tracker.is_administrator === true && (
            <LinkButton href={`/trackers/${tracker.id}/admin/form`}>{nothing.buildForm}</LinkButton>
          )
        }
      >
        {tracker.is_administrator === true
          ? `${words.noColumnsText} ${words.noColumnsAdmin}`
          : words.noColumnsText}
      </EmptyPlace>
    </div>
  );
}

/** Hears of drags once the board is there. */
function Dragging({
  scroller,
  acts,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly acts: DragActs;
}) {
  useDragging(scroller, acts);
  return null;
}

function OfColumns(props: BoardProps) {
  const { tracker, plan, onSettings, onFound } = props;
  const board = useBoard(props);
  const put = usePut(props, board);
  const scroller = useRef<HTMLElement>(null);
  const size = board.counts.data?.size;
  const fault = board.counts.error ?? board.error;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is found is told.
  useEffect(() => onFound({ size, error: fault }), [size, fault]);
  const hidden = board.every.filter(({ id }) => plan.columns?.flat().includes(id) === false);
  const { step, endStep, which, endWhich } = board;
  return (
    <>
      <Tools
        tracker={tracker}
        tools={props.tools}
        plan={plan}
        onSettings={onSettings}
        hidden={hidden.map((value) => ({ id: value.id, name: board.nameOfValue(value) }))}
        onShow={(id) =>
          onSettings({ column_ids: writtenColumns([...board.columns.map(({ ids }) => ids), [id]]) })
        }
      />
      <State props={props} board={board} fault={fault}>
        <Tabs board={board} scroller={scroller} />
        <BoardGrid props={props} board={board} put={put} scroller={scroller} />
        <Dragging
          scroller={scroller}
          acts={{
            withSelected: board.withSelected,
            verdictsFor: board.verdictsFor,
            drop: put,
            refuse: (reason) => notify({ kind: 'bad', text: reason }),
          }}
        />
      </State>
      {step !== undefined && (
        <RowDialog key={step.key} step={step} onDone={() => endStep(isChanging(step.uri))} />
      )}
      {which !== undefined && (
        <WhichValue key={which.key} asked={which} stages={board.stages} onChosen={endWhich} />
      )}
    </>
  );
}

interface StateProps {
  readonly props: BoardProps;
  readonly board: Board;
  readonly fault: Error | null;
  readonly children: ReactNode;
}

/** The board, or why there is none. */
function State({ props, board, fault, children }: StateProps) {
  const { tracker, view } = props;
  const { board: words } = useMessages();
  const { data } = board.counts;
  if (data === undefined)
    return (
      <div className={styles['state']}>
        {fault === null ? (
          <Skeleton lines={8} />
        ) : (
          <ErrorPlace
            words={wordsOfError(fault)}
            requestId={fault instanceof ApiError ? fault.requestId : undefined}
            onRetry={againAfter(fault, () => void askBoardAgain(tracker))}
          />
        )}
      </div>
    );
  if (data.size === 0 && (isNarrowed(view) || tracker.may_submit !== true))
    return <Nothing tracker={tracker} view={view} onChange={props.onChangeView} />;
  if (board.columns.length > 0) return children;
  return (
    <div className={styles['state']}>
      <EmptyPlace icon="layout-kanban" name={words.nothingShown}>
        {words.nothingShownText}
      </EmptyPlace>
    </div>
  );
}

/** On a small screen: the columns by name, since one of them is seen. */
function Tabs({
  board,
  scroller,
}: {
  readonly board: Board;
  readonly scroller: RefObject<HTMLElement | null>;
}) {
  const { board: words } = useMessages();
  const formats = useFormats();
  const show = (id: string) =>
    scroller.current
      ?.querySelector(`[data-column="${id}"]`)
      ?.scrollIntoView({ inline: 'start', block: 'nearest' });
  return (
    <nav className={styles['tabs']} aria-label={words.columnNames}>
      {board.shown.map((value) => (
        <button key={value.id} type="button" className={styles['tab']} onClick={() => show(value.id)}>
          {board.nameOf(value)}{' '}
          <span className={styles['count']}>{formats.number(board.sizeOf(value.id) ?? 0)}</span>
        </button>
      ))}
    </nav>
  );
}
