/** Values that must not be in a backup that is kept elsewhere than the machine. */
const secrets = /SECRET|ACCESS_KEY/;

function withoutPassword(value: string): string {
  if (!/^[a-z]+:\/\//.test(value) || !URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password === '') return value;
  url.password = '***';
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
