export { GeneralPage } from './general.tsx';
export { NotificationsPage } from './notifications.tsx';
export { RulesPage } from './rules.tsx';
export { SemanticsPage } from './semantics.tsx';
export { TrashPage } from './trash.tsx';
export { TriggersPage } from './triggers.tsx';
export { ViewsPage } from './views.tsx';
