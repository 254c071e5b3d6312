import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { pathWithin } from '../kernel/addresses.ts';
import { usePreference } from '../store/index.ts';

let isLed = false;

/** Whether the application was opened at its front door, by hand: not by a link to a page, nor anew by a reload. */
function isOpened(): boolean {
  const [entry] = performance.getEntriesByType('navigation');
  if (!(entry instanceof PerformanceNavigationTiming) || entry.type !== 'navigate') return false;
  const { pathname, search } = new URL(entry.name);
  return (pathname === '/' || pathname === '/login') && search === '';
}

const acts = ['keydown', 'pointerdown', 'wheel'];

/**
 * Leads whoever opens the application to the page that they chose for it, once; true until they are there. What this browser keeps may be
 * older than the choice, which then comes with the first answer: whoever has begun to do something meanwhile stays.
 */
export function useFirstPage(): boolean {
  const [chosen = ''] = usePreference('web.first_page');
  const navigate = useNavigate();
  const [isLeading, setLeading] = useState(() => {
    const isFirst = !isLed && isOpened();
    isLed = true;
    return isFirst;
  });
  const to = (isLeading && chosen !== '' && pathWithin(window.location.origin, chosen)) || '/';
  useEffect(() => {
    if (!isLeading) return undefined;
    const stay = () => setLeading(false);
    if (to !== '/') {
      // Whoever turns back on the way is at home.
      void navigate({ href: to, replace: true }).finally(stay);
      return undefined;
    }
    for (const act of acts) window.addEventListener(act, stay, { once: true, capture: true });
    return () => {
      for (const act of acts) window.removeEventListener(act, stay, { capture: true });
    };
  }, [isLeading, to, navigate]);
  return to !== '/';
}
