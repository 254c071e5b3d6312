/** A short name for a project made from its name: small letters without accents, digits and hyphens, 30 at most. */
export function shortNameOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '')
    .slice(0, 30)
    .replace(/-+$/, '');
}

/** What the artifacts of a tracker are called in references, made from its name: letters, digits and underscores, 25 at most. */
export function itemNameOf(name: string): string {
  return shortNameOf(name).replaceAll('-', '_').slice(0, 25).replace(/_+$/, '');
}
