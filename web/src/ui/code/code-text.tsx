import { memo } from 'react';
import styles from './code.module.css';
import type { TokenLine } from './tokens.ts';

/** One line of code, in its colours where they are known. */
export const CodeText = memo(function CodeText({
  text,
  tokens,
}: {
  readonly text: string;
  readonly tokens?: TokenLine | undefined;
}) {
  if (tokens === undefined) return text;
  let at = 0;
  return tokens.map(({ kind, text: part }) => {
    const key = at;
    at += part.length;
    return kind === undefined ? (
      part
    ) : (
      <span key={key} className={styles[kind]}>
        {part}
      </span>
    );
  });
});
