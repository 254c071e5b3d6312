import { type PlatformPage, platformPagesOf } from '../kernel/platform-pages.ts';
import { useStanding } from '../store/index.ts';

export interface AdminRights {
  /** The pages that one sees, in their order. */
  readonly pages: readonly PlatformPage[];
  /** Whether what is there can be changed: read-only administrators look. */
  readonly mayChange: boolean;
  readonly isSiteAdministrator: boolean;
}

/** What somebody may do with the platform as a whole. */
export function useAdminRights(): AdminRights {
  const standing = useStanding();
  const { is_site_administrator: isSiteAdministrator, is_read_only_administrator: isReading } = standing;
  const mayChange = isSiteAdministrator || !isReading;
  return { pages: platformPagesOf(standing), mayChange, isSiteAdministrator };
}
