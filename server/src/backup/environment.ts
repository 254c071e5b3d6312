/** Values that must not be in a backup that is kept elsewhere than the machine. */
const secrets = /SECRET|ACCESS_KEY/;

/** An address may have a password before its host, and PostgreSQL takes one among the parameters as well. */
function withoutPassword(value: string): string {
  if (!/^[a-z0-9]+:\/\//i.test(value)) return value;
  if (!URL.canParse(value)) return '***';
  const url = new URL(value);
  if (url.password !== '') url.password = '***';
  for (const name of [...url.searchParams.keys()])
    if (/password|secret/i.test(name)) url.searchParams.set(name, '***');
  return url.href;
}

/** How the service is set up, for whoever sets it up anew. Secrets are named and left out. */
export function describeEnvironment(environment: Readonly<Record<string, string | undefined>>): string {
  const own = Object.entries(environment).filter(([name]) => name.startsWith('ATELIER_'));
  const shown = own
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value = '']) => [name, secrets.test(name) ? '***' : withoutPassword(value)]);
  return `${JSON.stringify(Object.fromEntries(shown), null, 2)}\n`;
}
