import { trustedScript } from './ui/index.ts';

/** Files of the application that this page has loaded and not told of yet. */
const loaded = new Set<string>();
/** Where they are told, once there is somebody to tell. */
let worker: ServiceWorker | undefined;

function tell(): void {
  if (worker === undefined || loaded.size === 0) return;
  worker.postMessage({ loaded: [...loaded] });
  loaded.clear();
}

/** Also of what came before: the first page lets the browser remember enough. */
new PerformanceObserver((list) => {
  for (const { name } of list.getEntries()) {
    const { origin, pathname } = new URL(name);
    if (origin === window.location.origin && pathname.startsWith('/assets/')) loaded.add(pathname);
  }
  tell();
}).observe({ type: 'resource', buffered: true });

/** Lets the application open without a network from now on. Where browsers have no workers, it needs one. */
export async function startWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  try {
    await navigator.serviceWorker.register(trustedScript('/service-worker.js'));
    const { active } = await navigator.serviceWorker.ready;
    worker = active ?? undefined;
    tell();
    // Not without one: what is drawn at once needs its style sheets at once.
    (await import('./kept-drawing.ts')).keepDrawings();
  } catch {
    // A browser that lets nothing be kept, as in private windows.
  }
}
