import { type CSSProperties, Fragment, type KeyboardEvent, type ReactNode, useId } from 'react';
import { flushSync } from 'react-dom';
import { useMessages } from '../messages/index.ts';
import { announce, Part } from '../shell/index.ts';
import { classes, Icon, IconButton, Menu, MenuItem, MenuSection, Unseen } from '../ui/index.ts';
import {
  type Direction,
  moveTo,
  placeOf,
  type Rows,
  remove,
  resize,
  step,
  type Target,
  type Tile,
  type TileCell,
} from './arrange.ts';
import styles from './dashboards.module.css';
import { beginResize, useTileDrag } from './drag.ts';
import { type Place, WidgetContent } from './widgets.tsx';

/** What a tile is called. */
export function useNameOf(): (tile: Pick<Tile, 'kind' | 'title' | 'label'>) => string {
  const { dashboards: words } = useMessages();
  return ({ kind, title, label }) => title || label || words.kinds[kind];
}

/** Wide in columns of twelve; on narrow pages halves or the whole. */
const widthStyle = (width: number) =>
  ({ '--width': width, '--narrow-width': width <= 6 ? 6 : 12 }) as CSSProperties;

function TileFrame({
  tile,
  tools,
  grip,
  children,
}: {
  readonly tile: Tile;
  readonly tools?: ReactNode;
  readonly grip?: ReactNode;
  readonly children: ReactNode;
}) {
  const nameOf = useNameOf();
  const nameId = useId();
  return (
    <section className={styles['tile']} aria-labelledby={nameId} data-tile={tile.key}>
      <header className={styles['tileHead']}>
        {grip}
        <h2 id={nameId} className={styles['tileName']}>
          {nameOf(tile)}
        </h2>
        {tools}
      </header>
      <div className={styles['body']}>{children}</div>
    </section>
  );
}

/** A tile that was not stored yet has no content to be read. */
function Content({ tile, dashboard }: { readonly tile: Tile; readonly dashboard: Place }) {
  return (
    <Part name={`${tile.kind} ${JSON.stringify(tile.settings)}`}>
      <WidgetContent widget={{ ...tile, id: tile.id ?? 0 }} dashboard={dashboard} />
    </Part>
  );
}

/** What is on a dashboard, to be read. */
export function DashboardRows({ rows, dashboard }: { readonly rows: Rows; readonly dashboard: Place }) {
  return (
    <div className={styles['rows']}>
      {rows.map(({ cells }) => (
        <div key={cells[0]?.tiles[0]?.key} className={styles['gridRow']}>
          {cells.map((cell) => (
            <div key={cell.tiles[0]?.key} className={styles['cell']} style={widthStyle(cell.width)}>
              {cell.tiles.map((tile) => (
                <TileFrame key={tile.key} tile={tile}>
                  <Content tile={tile} dashboard={dashboard} />
                </TileFrame>
              ))}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

const directions: Readonly<Record<string, Direction>> = {
  ArrowUp: 'up',
  ArrowDown: 'down',
  ArrowLeft: 'left',
  ArrowRight: 'right',
};

const gripId = (key: string) => `grip-${key}`;

interface ArrangedProps {
  readonly rows: Rows;
  readonly dashboard: Place;
  onRows(rows: Rows): void;
  onSettings(tile: Tile): void;
}

/** Says where a tile is now. */
function usePlaceWords(): (rows: Rows, tile: Tile) => string {
  const { dashboards: words } = useMessages();
  const nameOf = useNameOf();
  return (rows, tile) => {
    const place = placeOf(rows, tile.key);
    if (place === undefined) return words.removed(nameOf(tile));
    const cells = rows[place.row]?.cells ?? [];
    const cell = cells[place.cell];
    const all = cell?.tiles.length ?? 1;
    const within = all > 1 ? words.stacked(place.at + 1, all) : '';
    return `${words.placed(nameOf(tile), place.row + 1, rows.length, place.cell + 1, cells.length, cell?.width ?? 12)}${within}`;
  };
}

/** What can be done with one tile, each told. */
function useActs({ rows, onRows }: Pick<ArrangedProps, 'rows' | 'onRows'>) {
  const { dashboards: words } = useMessages();
  const nameOf = useNameOf();
  const placeWords = usePlaceWords();
  const apply = (tile: Tile, next: Rows) => {
    if (next === rows) return announce(words.noStep(nameOf(tile)));
    const isFromMenu = document.activeElement?.closest('[role="menu"]') != null;
    // It is drawn anew somewhere else, and stays what is held: the next key may come before the next frame.
    flushSync(() => onRows(next));
    const hold = () => document.getElementById(gripId(tile.key))?.focus();
    hold();
    // A menu that closes leads back to what opened it.
    if (isFromMenu) requestAnimationFrame(hold);
    announce(placeWords(next, tile));
  };
  const widthOf = ({ key }: Tile) => {
    const place = placeOf(rows, key);
    return place === undefined ? 12 : (rows[place.row]?.cells[place.cell]?.width ?? 12);
  };
  return {
    move: (tile: Tile, direction: Direction) => apply(tile, step(rows, tile.key, direction)),
    moveTo: (tile: Tile, target: Target) => apply(tile, moveTo(rows, tile.key, target)),
    widen: (tile: Tile, by: number) => apply(tile, resize(rows, tile.key, widthOf(tile) + by)),
    remove: (tile: Tile) => {
      onRows(remove(rows, tile.key));
      announce(words.removed(nameOf(tile)));
    },
  };
}

function TileMenu({
  tile,
  acts,
  onSettings,
}: {
  readonly tile: Tile;
  readonly acts: ReturnType<typeof useActs>;
  onSettings(tile: Tile): void;
}) {
  const { dashboards: words } = useMessages();
  const nameOf = useNameOf();
  const hasSettings = !tile.is_hidden;
  return (
    <Menu
      placement="bottom end"
      aria-label={words.more(nameOf(tile))}
      trigger={<IconButton icon="dots" size="small" label={words.more(nameOf(tile))} />}
    >
      <MenuSection>
        {hasSettings ? (
          <MenuItem icon="settings" onAction={() => onSettings(tile)}>
            {words.settings}
          </MenuItem>
        ) : null}
        <MenuItem icon="trash" onAction={() => acts.remove(tile)}>
          {words.remove}
        </MenuItem>
      </MenuSection>
      <MenuSection>
        <MenuItem icon="arrow-up" onAction={() => acts.move(tile, 'up')}>
          {words.moves.up}
        </MenuItem>
        <MenuItem icon="arrow-down" onAction={() => acts.move(tile, 'down')}>
          {words.moves.down}
        </MenuItem>
        <MenuItem icon="arrow-left" onAction={() => acts.move(tile, 'left')}>
          {words.moves.left}
        </MenuItem>
        <MenuItem icon="arrow-right" onAction={() => acts.move(tile, 'right')}>
          {words.moves.right}
        </MenuItem>
      </MenuSection>
      <MenuSection>
        <MenuItem icon="plus" onAction={() => acts.widen(tile, 1)}>
          {words.wider}
        </MenuItem>
        <MenuItem icon="minus" onAction={() => acts.widen(tile, -1)}>
          {words.narrower}
        </MenuItem>
      </MenuSection>
    </Menu>
  );
}

const sideOf = (target: Target | undefined, row: number, cell: number, count: number) => {
  if (target?.kind !== 'cell' || target.row !== row) return undefined;
  if (target.cell === cell) return styles['dropLeft'];
  return target.cell === count && cell === count - 1 ? styles['dropRight'] : undefined;
};

/** What is on a dashboard, to be arranged by mouse, by keys and by menus. */
export function ArrangedRows({ rows, dashboard, onRows, onSettings }: ArrangedProps) {
  const { dashboards: words } = useMessages();
  const nameOf = useNameOf();
  const helpId = useId();
  const acts = useActs({ rows, onRows });
  const find = (key: string) =>
    rows.flatMap(({ cells }) => cells.flatMap((one) => one.tiles)).find((one) => one.key === key);
  const { dragged, begin } = useTileDrag(rows, (key, target) => {
    const tile = find(key);
    if (tile !== undefined) acts.moveTo(tile, target);
  });
  const onKey = (event: KeyboardEvent, tile: Tile) => {
    const direction = directions[event.key];
    if (direction === undefined && event.key !== 'Delete') return;
    event.preventDefault();
    event.stopPropagation();
    if (direction === undefined) acts.remove(tile);
    else if (event.shiftKey && (direction === 'left' || direction === 'right'))
      acts.widen(tile, direction === 'right' ? 1 : -1);
    else acts.move(tile, direction);
  };
  const target = dragged?.target;
  const gap = (row: number) => (
    <div
      data-gap={row}
      className={classes(
        styles['gap'],
        dragged !== undefined && styles['gapOpen'],
        target?.kind === 'row' && target.row === row && styles['gapTarget'],
      )}
    >
      {target?.kind === 'row' && target.row === row && words.newRow}
    </div>
  );
  const isStackTarget = (row: number, cell: number, at: number) =>
    target?.kind === 'stack' && target.row === row && target.cell === cell && target.at === at;
  const drawTile = (tile: Tile, place: { row: number; cell: number; at: number }, cell: TileCell) => (
    <div
      key={tile.key}
      className={classes(
        styles['arranged'],
        dragged?.key === tile.key && styles['dragged'],
        isStackTarget(place.row, place.cell, place.at) && styles['dropAbove'],
        place.at === cell.tiles.length - 1 &&
          isStackTarget(place.row, place.cell, place.at + 1) &&
          styles['dropBelow'],
      )}
    >
      <TileFrame
        tile={tile}
        grip={
          <button
            type="button"
            id={gripId(tile.key)}
            className={styles['grip']}
            aria-label={words.grip(nameOf(tile))}
            aria-describedby={helpId}
            onPointerDown={(event) => begin(event, tile.key)}
            onKeyDown={(event) => onKey(event, tile)}
          >
            <Icon name="grip-vertical" size={14} />
          </button>
        }
        tools={<TileMenu tile={tile} acts={acts} onSettings={onSettings} />}
      >
        <Content tile={tile} dashboard={dashboard} />
      </TileFrame>
    </div>
  );
  return (
    <div className={classes(styles['rows'], styles['arranging'])}>
      <Unseen>
        <span id={helpId}>{words.gripWords}</span>
      </Unseen>
      {rows.map(({ cells }, row) => (
        <Fragment key={cells[0]?.tiles[0]?.key}>
          {gap(row)}
          <div className={styles['gridRow']}>
            {cells.map((cell, at) => (
              <div
                key={cell.tiles[0]?.key}
                data-cell={at}
                className={classes(styles['cell'], sideOf(target, row, at, cells.length))}
                style={widthStyle(cell.width)}
              >
                {cell.tiles.map((tile, index) => drawTile(tile, { row, cell: at, at: index }, cell))}
                <div
                  className={styles['edge']}
                  aria-hidden="true"
                  onPointerDown={(event) => {
                    const [first] = cell.tiles;
                    if (first !== undefined)
                      beginResize(event, (width) => onRows(resize(rows, first.key, width)));
                  }}
                />
              </div>
            ))}
          </div>
        </Fragment>
      ))}
      {gap(rows.length)}
    </div>
  );
}

/** What a dashboard looks like, without its content. */
export function Sketch({ rows, label }: { readonly rows: Rows; readonly label: string }) {
  const nameOf = useNameOf();
  return (
    <section className={styles['sketch']} aria-label={label}>
      {rows.map(({ cells }) => (
        <div key={cells[0]?.tiles[0]?.key} className={styles['sketchRow']}>
          {cells.map(({ width, tiles }) => (
            <div key={tiles[0]?.key} style={{ gridColumn: `span ${width}` }}>
              {tiles.map((tile) => (
                <span key={tile.key} className={styles['sketchTile']}>
                  {nameOf(tile)}
                </span>
              ))}
            </div>
          ))}
        </div>
      ))}
    </section>
  );
}
