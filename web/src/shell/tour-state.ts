import { setPreference, useStanding } from '../store/index.ts';

/** Of the demo project, which the first start makes. */
const demoName = 'lighthouse';

const preference = 'web.tour';
const over = 'over';

export const tourLength = 5;

/** The demo project, for its members; undefined where it was never made, or is deleted. */
export function useDemo() {
  return useStanding().memberships.find(({ project }) => project.shortname === demoName)?.project;
}

/** Where somebody is on the tour, from 1; undefined: on none. A reload does not end it, and it is the same in every tab. */
export function useTourStep(): number | undefined {
  const step = Number(useStanding().preferences[preference]);
  const isDemo = useDemo() !== undefined;
  return isDemo && Number.isInteger(step) && step >= 1 && step <= tourLength ? step : undefined;
}

/** The step that was asked for on this page, until it has led there. */
let wanted: number | undefined;

export function goToTourStep(step: number): void {
  wanted = step;
  void setPreference(preference, String(step));
}

/** Tells once whether a step was asked for on this page: a reload, or another tab, stays where it is. */
export function leadsTo(step: number): boolean {
  const isWanted = wanted === step;
  wanted = undefined;
  return isWanted;
}

export const leaveTour = (): void => void setPreference(preference, over);
