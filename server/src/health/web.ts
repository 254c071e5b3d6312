import { digestOfSources, isBuilt } from '../web-build/index.ts';
import type { HealthFinding } from './finding.ts';

/** Whether a start would find the web application built. */
export function checkWeb(hasWeb: boolean): HealthFinding {
  const about = 'web application';
  if (!hasWeb) return { about, state: 'ok', says: 'It is not served (ATELIER_WEB=0).' };
  const digest = digestOfSources();
  if (isBuilt(digest)) return { about, state: 'ok', says: `Build ${digest} is served.` };
  return {
    about,
    state: 'warning',
    says: 'It is not built for the sources as they are now.',
    advice: 'The next start of the service builds it; `atelier web build` does it before.',
  };
}
