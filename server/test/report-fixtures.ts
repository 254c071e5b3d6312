import type { ReportSettings } from '@atelier/contract';
import { expect } from 'vitest';
import type { Caller } from './harness/atelier.ts';

export type Members = Readonly<Record<string, unknown>>;

/** Saves a report and gives it with all its settings. */
export async function saveReport(
  caller: Caller,
  trackerId: number,
  report: Members,
): Promise<ReportSettings> {
  const { status, body, text } = await caller.post(`/trackers/${trackerId}/tracker_reports`, report);
  expect(status, text).toBe(201);
  return body;
}
