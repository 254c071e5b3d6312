import { type FormEvent, useState } from 'react';
import { ChoiceMark, type StatusStages } from '../fields/index.ts';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  Button,
  Checkbox,
  Dialog,
  Icon,
  IconButton,
  Menu,
  MenuItem,
  MenuSeparator,
  NumberField,
} from '../ui/index.ts';
import styles from './board.module.css';
import type { Column } from './columns.ts';
import type { Limit } from './settings.ts';

export interface ColumnHeadProps {
  readonly column: Column;
  readonly name: string;
  /** Of the column at its right, which it can be joined with. */
  readonly nameOfNext: string | undefined;
  readonly size: number | undefined;
  readonly limit: Limit | undefined;
  /** How many cards the limit is about. */
  readonly limited: number;
  readonly limitsCountAllLanes: boolean;
  readonly hasLanes: boolean;
  readonly stages: StatusStages | undefined;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onLimit: (limit: Limit | undefined, countsAllLanes: boolean) => void;
  readonly onAct: (act: ColumnAct) => void;
  readonly onAdd: (() => void) | undefined;
}

const acts = ['fold', 'hide', 'left', 'right', 'join', 'split'] as const;
export type ColumnAct = (typeof acts)[number];

const isAct = (key: string): key is ColumnAct => acts.some((act) => act === key);

/** The name of a column, how much is in it, and what can be done with it. */
export function ColumnHead(props: ColumnHeadProps) {
  const { column, name, limit, stages, isFirst, isLast, nameOfNext, onAct, onAdd, onLimit } = props;
  const { board: words } = useMessages();
  const [isLimiting, setLimiting] = useState(false);
  const act = (key: string) => {
    if (key === 'limit') setLimiting(true);
    else if (key === 'unlimit') onLimit(undefined, props.limitsCountAllLanes);
    else if (isAct(key)) onAct(key);
  };
  return (
    <div className={styles['head']} data-column={column.id}>
      {column.values.map(
        ({ id, choice }) => choice && <ChoiceMark key={id} choice={choice} stages={stages} />,
      )}
      <h2 className={styles['headName']} title={name}>
        {name}
      </h2>
      <Counted {...props} />
      <span className={styles['rest']} />
      <Menu
        aria-label={words.columnActs(name)}
        placement="bottom end"
        onAction={(key) => act(String(key))}
        trigger={
          <IconButton
            icon="dots"
            label={words.columnActs(name)}
            size="small"
            className={styles['headAct'] ?? ''}
          />
        }
      >
        <MenuItem id="limit">{words.setLimit}</MenuItem>
        {limit !== undefined && <MenuItem id="unlimit">{words.removeLimit}</MenuItem>}
        <MenuSeparator />
        <MenuItem id="fold" icon="arrow-bar-to-left">
          {words.fold}
        </MenuItem>
        <MenuItem id="hide" icon="eye-off">
          {words.hide}
        </MenuItem>
        {nameOfNext !== undefined && (
          <MenuItem id="join" icon="plus">
            {words.joinWith(nameOfNext)}
          </MenuItem>
        )}
        {column.ids.length > 1 && (
          <MenuItem id="split" icon="arrows-split-2">
            {words.split}
          </MenuItem>
        )}
        {!isFirst && (
          <MenuItem id="left" icon="arrow-left">
            {words.moveLeft}
          </MenuItem>
        )}
        {!isLast && (
          <MenuItem id="right" icon="arrow-right">
            {words.moveRight}
          </MenuItem>
        )}
      </Menu>
      {onAdd && <IconButton icon="plus" label={words.addTo(name)} size="small" onPress={onAdd} />}
      {isLimiting && (
        <LimitDialog
          {...props}
          onClose={() => setLimiting(false)}
          onSet={(next, all) => {
            setLimiting(false);
            onLimit(next, all);
          }}
        />
      )}
    </div>
  );
}

/** `24`, `2 of 4`, or that there are too many. */
function Counted({ size, limit, limited }: ColumnHeadProps) {
  const { board: words } = useMessages();
  const formats = useFormats();
  if (size === undefined) return <span className={styles['count']} />;
  if (limit === undefined) return <span className={styles['count']}>{formats.number(size)}</span>;
  const [count, max] = [formats.number(limited), formats.number(limit.max)];
  if (limited <= limit.max) return <span className={styles['count']}>{words.nOfMax(count, max)}</span>;
  return (
    <span className={styles['over']}>
      <Icon name="alert-triangle" size={13} />
      {words.overLimit(count, max)}
    </span>
  );
}

function LimitDialog({
  name,
  limit,
  limitsCountAllLanes,
  hasLanes,
  onClose,
  onSet,
}: ColumnHeadProps & {
  readonly onClose: () => void;
  readonly onSet: (limit: Limit, countsAllLanes: boolean) => void;
}) {
  const { board: words } = useMessages();
  const [max, setMax] = useState(limit?.max ?? 5);
  const [isStrict, setStrict] = useState(limit?.isStrict ?? false);
  const [all, setAll] = useState(limitsCountAllLanes);
  const isUsable = Number.isInteger(max) && max > 0;
  const send = (event?: FormEvent) => {
    event?.preventDefault();
    if (isUsable) onSet({ max, isStrict }, all);
  };
  return (
    <Dialog
      title={words.limitTitle(name)}
      isOpen
      width="narrow"
      onClose={onClose}
      aside={words.limitHint}
      buttons={
        <>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button kind="primary" isDisabled={!isUsable} onPress={() => send()}>
            {words.set}
          </Button>
        </>
      }
    >
      <form onSubmit={send} className={styles['limitForm']}>
        <NumberField label={words.limitMax} value={max} onChange={setMax} autoFocus />
        <Checkbox isSelected={isStrict} onChange={setStrict}>
          {words.limitStrict}
        </Checkbox>
        {hasLanes && (
          <Checkbox isSelected={all} onChange={setAll}>
            {words.limitAllLanes}
          </Checkbox>
        )}
      </form>
    </Dialog>
  );
}
