import type { Config } from '../kernel/config.ts';
import { type Database, type ReplicaState, replicaStates } from '../storage/index.ts';
import type { HealthFinding } from './finding.ts';

const about = 'replicas';
const mebibyte = 1024 * 1024;

function findingOf({ place, state, behind }: ReplicaState): HealthFinding {
  const meanwhile = 'Until then everybody reads from the database itself.';
  switch (state) {
    case 'away':
      return { about, state: 'warning', says: `${place} does not answer. ${meanwhile}` };
    case 'alone':
      return {
        about,
        state: 'problem',
        says: `${place} follows no other server: it is no replica, or no longer.`,
      };
    case 'foreign':
      return {
        ...{ about, state: 'problem', says: `${place} is a replica of another database.` },
        advice: 'See that ATELIER_DATABASE_READ_URL names replicas of the server of ATELIER_DATABASE_URL.',
      };
    default: {
      const says = `${place} follows, ${behind} bytes behind.`;
      return { about, state: behind > 16 * mebibyte ? 'warning' : 'ok', says };
    }
  }
}

/** Replicas that callers may read from, asked one by one. */
export async function checkReplicas({ databaseUrl, databaseReadUrls }: Config): Promise<HealthFinding[]> {
  if (databaseUrl === undefined || databaseReadUrls.length === 0) return [];
  return (await replicaStates(databaseUrl, databaseReadUrls)).map(findingOf);
}

/** The same in a service that runs, which knows them already. */
export function checkUsedReplicas(database: Database): HealthFinding[] {
  const use = database.replicaUse();
  if (use === undefined) return [];
  const all = use.used + use.leftOut;
  if (use.leftOut === 0)
    return [{ about, state: 'ok', says: `All ${all} are read from.`, code: 'replicas-used', facts: { all } }];
  const says = `${use.leftOut} of ${all} are left out: they do not answer, or are too far behind.`;
  const facts = { all, out: use.leftOut };
  const advice = '`atelier doctor` tells which and why.';
  return [{ about, state: 'warning', says, code: 'replicas-out', facts, advice }];
}
