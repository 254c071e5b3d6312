import { invalid } from '../kernel/errors.ts';

/**
 * What a key opens. There are no git repositories here: `write:git_repository` opens nothing, and can be asked for because
 * plugins of build servers make no key without it.
 */
export const scopes = ['write:rest', 'read:rest', 'write:svn', 'read:svn', 'write:git_repository'] as const;
export type Scope = (typeof scopes)[number];

const isScope = (text: string): text is Scope => scopes.some((scope) => scope === text);

/** A scope that clients ask for and that stands for nothing here. */
const opensNothing = (scope: Scope) => scope === 'write:git_repository';

/** Where keys open something. */
export type KeyArea = 'rest' | 'svn';

/** What a key with these scopes lets its holder do there. */
export function accessByScopes(held: readonly string[], area: KeyArea): 'write' | 'read' | undefined {
  if (held.includes(`write:${area}`)) return 'write';
  return held.includes(`read:${area}`) ? 'read' : undefined;
}

/** Those of a request that there are here: clients ask for scopes of tools that this platform does not have, beside others. */
export function checkScopes(request: readonly string[]): Scope[] {
  if (request.length === 0)
    throw invalid('Invalid value specified for `scopes`. At least one scope is needed.');
  for (const scope of request) {
    if (!/^[^\s:]+:[^\s:]+$/.test(scope)) {
      throw invalid(`Invalid value specified for \`scopes\`. "${scope}" is not a scope identifier.`);
    }
  }
  const known = new Set(request.filter(isScope));
  if (known.size === 0) {
    throw invalid(
      `Invalid value specified for \`scopes\`. "${request[0]}" is not known; there are ${scopes.join(', ')}.`,
    );
  }
  return [...known];
}

/** Whether a key with these scopes may all that another one is to open. */
export const coverAll = (held: readonly string[], wanted: readonly Scope[]): boolean =>
  wanted.every((scope) => {
    const [access, area = ''] = scope.split(':');
    return (
      opensNothing(scope) || held.includes(scope) || (access === 'read' && held.includes(`write:${area}`))
    );
  });
