export { ChartsView, ReportChart } from './page.tsx';
