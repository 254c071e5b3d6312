/** The user name and password in an Authorization header. */
export function parseBasic(authorization: string): { name: string; password: string } | undefined {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=_-]+)\s*$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1 || text.includes('\0')) return undefined;
  return { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

const asciiLower = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** Whether a user name is that of an account. Some letters beyond ASCII, such as the sign of kelvin, become one of ASCII. */
export const isSpelling = (name: string, own: string) => asciiLower(name) === asciiLower(own);
