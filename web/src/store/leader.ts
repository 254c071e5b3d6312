import { clientId } from './client.ts';

/** Milliseconds for which a tab leads without saying so again, where there are no locks. */
const lease = 2000;

/** Whether this tab leads by what is written for all tabs, which holds for a moment. */
function takeLease(name: string): boolean {
  try {
    const [tab, until] = (localStorage.getItem(name) ?? '').split(' ');
    if (tab !== clientId && Number(until) > Date.now()) return false;
    localStorage.setItem(name, `${clientId} ${Date.now() + lease}`);
    return true;
  } catch {
    // Nothing is shared between tabs here: each stands for itself.
    return true;
  }
}

/** Browsers give locks to pages that came by TLS or from this machine alone; others write down who leads, and look again and again. */
function byLease(name: string, lead: () => void): void {
  let isLeading = false;
  const look = () => {
    const isMine = takeLease(name);
    if (isMine && !isLeading) {
      isLeading = true;
      lead();
    }
  };
  look();
  setInterval(look, lease / 4);
}

/** Calls `lead` when this tab is the one of all tabs that leads: at once, or when the one that does is closed. */
export function whenLeading(name: string, lead: () => void): void {
  if (navigator.locks === undefined) return byLease(name, lead);
  void navigator.locks.request(name, () => {
    lead();
    // Held until the page is left.
    return new Promise(() => undefined);
  });
}
