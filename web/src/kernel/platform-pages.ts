/** Pages of the platform's administration, in the order of their list. */
const platformPages = [
  'overview',
  'users',
  'groups',
  'projects',
  'settings',
  'link-types',
  'project-fields',
  'imports',
  'mail',
  'webhooks',
  'audit',
  'events',
  'trash',
  'backups',
  'health',
] as const;

export type PlatformPage = (typeof platformPages)[number];

export const isPlatformPage = (name: string): name is PlatformPage =>
  platformPages.some((known) => known === name);

/** Delegated permissions by which somebody has pages there: approval, users, system events, management of projects. */
const delegated: Readonly<Record<number, PlatformPage>> = {
  1: 'projects',
  5: 'users',
  6: 'events',
  8: 'projects',
};

interface Rights {
  readonly is_site_administrator: boolean;
  readonly is_read_only_administrator: boolean;
  readonly permissions: readonly { readonly id: number }[];
}

/** The pages that somebody sees: all for administrators, read-only ones too, and for delegates those of their delegation. */
export function platformPagesOf({
  is_site_administrator: isAll,
  is_read_only_administrator: isReading,
  permissions,
}: Rights): readonly PlatformPage[] {
  if (isAll || isReading) return platformPages;
  const own = permissions.flatMap(({ id }) => delegated[id] ?? []);
  return platformPages.filter((name) => own.includes(name));
}
