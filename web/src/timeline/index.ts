/*
 * A tracker by its days: as a calendar (calendar.tsx) and as bars (timeline.tsx).
 *
 * timing.ts         what says when an artifact is: read it first; items.ts artifacts with their days, days.ts days without zones
 * plan.ts           groups, progress and dependencies; tray.tsx what has no day yet
 * acts.ts, drag.ts  moving days, by keys and by mouse
 */

export { CalendarView } from './calendar.tsx';
export { TimelineView } from './timeline.tsx';
