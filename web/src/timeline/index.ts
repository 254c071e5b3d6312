export { CalendarView } from './calendar.tsx';
export { TimelineView } from './timeline.tsx';
