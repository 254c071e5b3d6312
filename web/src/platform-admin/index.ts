/*
 * The administration of the platform: `/admin/…`.
 *
 * page.tsx          which page an address names: read it first; rights.ts who may what here
 * users.tsx, groups.tsx, projects.tsx, project-fields.tsx, link-types.tsx, imports.tsx, trash.tsx   what there is
 * settings.tsx, mail.tsx, webhooks.tsx, overview.tsx, health.tsx, backups.tsx (backup-now.tsx), events.tsx, audit.tsx   how it is; progress.tsx
 */

export { PlatformAdminPage } from './page.tsx';
