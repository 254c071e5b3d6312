/*
 * What a search finds, counted: by values, and over time.
 *
 * page.tsx          which charts there are: read it first; settings.ts what a report keeps of them
 * by-value.tsx, over-time.tsx   drawings, on axes.tsx, in region.tsx with their words and their table
 * series.ts         rows of numbers; download.ts files of them
 */

export { ChartsView, ReportChart } from './page.tsx';
