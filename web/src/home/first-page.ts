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

/** Leads whoever opens the application to the page that they chose for it, once; true until they are there. */
export function useFirstPage(): boolean {
  const [chosen = ''] = usePreference('web.first_page');
  const navigate = useNavigate();
  const [to, setTo] = useState(() => {
    const path = isLed || !isOpened() || chosen === '' ? '/' : pathWithin(window.location.origin, chosen);
    isLed = true;
    return path ?? '/';
  });
  useEffect(() => {
    // Whoever turns back on the way is at home.
    if (to !== '/') void navigate({ href: to, replace: true }).finally(() => setTo('/'));
  }, [to, navigate]);
  return to !== '/';
}
