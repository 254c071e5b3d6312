import { type KeyboardEvent, useRef } from 'react';
import { useMessages } from '../../messages/index.ts';
import { classes, Icon } from '../../ui/index.ts';
import { edgeBetween, type Flow, type Step } from './model.ts';
import { StateMark } from './state-mark.tsx';
import styles from './workflow.module.css';

interface MatrixProps {
  readonly flow: Flow;
  readonly chosen: Step | undefined;
  onChoose(step: Step): void;
  onToggle(step: Step): void;
}

/** From row to column: a check where the step may be taken. Arrows go among cells, Space makes or removes a step. */
export function Matrix({ flow, chosen, onChoose, onToggle }: MatrixProps) {
  const { workflow: words } = useMessages().trackerAdmin;
  const grid = useRef<HTMLTableElement>(null);
  const sources = [undefined, ...flow.states];
  const focus = (row: number, column: number) => {
    const cell = grid.current?.querySelector<HTMLElement>(`[data-cell="${row} ${column}"]`);
    cell?.focus();
  };
  const isCurrent = (row: number, column: number) => {
    const at = chosen ?? { from: null, to: flow.states[0]?.id };
    return (sources[row]?.id ?? null) === at.from && flow.states[column]?.id === at.to;
  };
  const onKeyDown = (event: KeyboardEvent, row: number, column: number, step: Step) => {
    const moves: Record<string, readonly [number, number]> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [row, 0],
      End: [row, flow.states.length - 1],
    };
    const target = moves[event.key];
    if (target !== undefined) {
      event.preventDefault();
      focus(...target);
    } else if (event.key === ' ') {
      event.preventDefault();
      if (step.from !== step.to) onToggle(step);
    }
  };
  return (
    <div className={styles['scroll']}>
      <table ref={grid} aria-label={words.matrixName} className={styles['matrix']}>
        <thead>
          <tr>
            <th scope="col" className={styles['corner']}>
              {words.fromTo}
            </th>
            {flow.states.map((state) => (
              <th key={state.id} scope="col">
                <span className={styles['state']}>
                  <StateMark state={state} />
                  <span>{state.name}</span>
                </span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sources.map((source, row) => (
            <tr key={source?.id ?? 'new'}>
              <th scope="row">
                <span className={styles['state']}>
                  <StateMark state={source} />
                  <span>{source?.name ?? words.new}</span>
                </span>
              </th>
              {flow.states.map((target, column) => {
                const step = { from: source?.id ?? null, to: target.id };
                const edge = edgeBetween(flow, step.from, step.to);
                const isSame = source?.id === target.id;
                const isChosen = chosen?.from === step.from && chosen.to === step.to;
                const name = words.cell(source?.name ?? words.new, target.name);
                return (
                  <td key={target.id}>
                    <button
                      type="button"
                      data-cell={`${row} ${column}`}
                      tabIndex={isCurrent(row, column) ? 0 : -1}
                      aria-label={isSame ? words.same : name}
                      aria-pressed={edge !== undefined}
                      aria-disabled={isSame}
                      className={classes(
                        styles['cell'],
                        edge !== undefined && styles['made'],
                        isChosen && edge !== undefined && styles['chosenCell'],
                      )}
                      onKeyDown={(event) => onKeyDown(event, row, column, step)}
                      onFocus={() => !isSame && !isChosen && onChoose(step)}
                      onClick={() => {
                        if (isSame) return;
                        if (edge === undefined) onToggle(step);
                        else onChoose(step);
                      }}
                    >
                      {isSame ? (
                        <span className={styles['dash']} />
                      ) : edge === undefined ? (
                        <span className={styles['point']} />
                      ) : (
                        <Icon name="check" size={14} />
                      )}
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
