import { useNavigate, useSearch } from '@tanstack/react-router';
import { type InboxWish, inboxReasons, inboxTabs } from './calls.ts';

const numberIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined;

/** What the address asks for: a part of the inbox, and the artifact that is open beside it. */
export function useWish(): InboxWish & { readonly opened: number | undefined } {
  const { tab, reason, project, artifact } = useSearch({ from: '/inbox' });
  return {
    tab: inboxTabs.find((one) => one === tab) ?? 'inbox',
    reason: inboxReasons.find((one) => one === reason),
    projectId: numberIn(project),
    opened: numberIn(artifact),
  };
}

/** Goes to another part of the inbox; what is not named stays. */
export function useGo() {
  const navigate = useNavigate();
  return (
    change: Partial<Record<'tab' | 'reason' | 'project' | 'artifact', string | undefined>>,
    replace = false,
  ) => void navigate({ to: '/inbox', search: (before) => ({ ...before, ...change }), replace });
}
