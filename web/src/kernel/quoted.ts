const escaped = (sign: string): string =>
  sign === '\\' || sign === '"' ? `\\${sign}` : `\\u${sign.charCodeAt(0).toString(16)} `;

/** A text as queries have it. */
export const quoted = (text: string): string => `"${text.replaceAll(/[\\"\n\r\f]/g, escaped)}"`;
