/*
 * A tracker as a board: columns for the values of a list, lanes across them.
 *
 * view.tsx          the board on its page: read it first; use-board.ts what it knows, settings.ts what a report keeps of it
 * columns.ts, lanes.ts, arrange.ts   which cards stand where; allowed.ts where a card may go, and why not
 * grid.tsx, head.tsx, lane-head.tsx, cell.tsx, card.tsx, folded.tsx, menu.tsx, tools.tsx   what is drawn
 * drag.ts, keys.ts, put.ts, moves.ts, which.tsx   moving cards by mouse, keys and menu; add.tsx, new-card.ts new ones
 */

export { BoardView } from './view.tsx';
