import './ui/base.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { languageOf, loadAllWords, loadLanguage } from './messages/index.ts';
import { isPageThere } from './routes.ts';
import { knownPreference, reloadWhenOutdated, startStore, whenAnswered } from './store/index.ts';
import { guardPage, keepFocusInFront, loadTheRest } from './ui/index.ts';

// For the worker, which is told of all that was loaded when that is over.
performance.setResourceTimingBufferSize(1000);
const root = document.getElementById('root');
if (root === null) throw new Error('No root.');
// Told by the loader of parts when one cannot be had. The server may be away, too: then there is nothing to be done.
window.addEventListener('vite:preloadError', () => void reloadWhenOutdated().catch(() => undefined));
keepFocusInFront();
for (const first of ['keydown', 'pointerdown', 'dragenter'])
  window.addEventListener(first, (event) => void guardPage(event), { capture: true, once: true });
await startStore();
const spoken = await loadLanguage(languageOf(knownPreference('web.language'), navigator.languages));
/** What could not be drawn in parts was drawn at once: nothing is missing for whoever sees it, and the cause is told to whoever looks for it. */
const onRecoverableError = (error: unknown) =>
  console.warn('Drawn again:', error instanceof Error ? (error.cause ?? error) : error);
createRoot(root, { onRecoverableError }).render(
  <StrictMode>
    <App spoken={spoken} />
  </StrictMode>,
);
// What opens at a press of a key or button is there before it is pressed; but not before what is seen.
void whenAnswered(isPageThere)
  .then(loadAllWords)
  .finally(() => guardPage())
  .finally(loadTheRest)
  .finally(async () => (await import('./worker.ts')).startWorker());
