import { trustedScript } from './ui/index.ts';

/** Lets the application open without a network from the next visit on. Where browsers have no workers, it needs one. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  await navigator.serviceWorker.register(trustedScript('/service-worker.js')).catch(() => undefined);
}
