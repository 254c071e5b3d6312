/*
 * What is known of dashboards without a schema: those who only keep them need not load what describes them.
 */

/** What the tiles of dashboards can show. */
export const widgetKinds = [
  'query',
  'report',
  'count',
  'chart',
  'burndown',
  'activity',
  'mine',
  'recent',
  'favorites',
  'text',
  'links',
] as const;

/** Whose artifacts the widget `mine` shows. */
export const widgetRoles = ['assigned', 'submitted', 'mentioned', 'watched'] as const;

export const dashboardBounds = {
  /** Dashboards of a project, and of a person. */
  dashboards: 20,
  widgets: 40,
  columns: 12,
  title: 255,
  text: 65_535,
  links: 50,
  /** Characters of all that a dashboard says, as JSON. */
  content: 262_144,
} as const;
