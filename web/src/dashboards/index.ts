export {
  DashboardOnPage,
  DashboardPage,
  DefaultDashboard,
  NewOwnDashboard,
  ProjectDashboardsPage,
} from './page.tsx';
