import { useEffect, useState } from 'react';
import { trustedScript } from '../trusted-scripts.ts';
import script from './highlight.worker.ts?worker&url';
import type { TokenLine } from './tokens.ts';

export interface HighlightQuestion {
  readonly id: number;
  readonly text: string;
  readonly language: string;
}

export interface HighlightAnswer {
  readonly id: number;
  readonly lines: readonly TokenLine[];
  /** Milliseconds of the worker. */
  readonly took: number;
}

/** Longer texts stay without colours. */
const longest = 1_500_000;

let worker: Worker | undefined;
let asked = 0;
const waiting = new Map<number, (lines: readonly TokenLine[]) => void>();

function startedWorker(): Worker {
  if (worker !== undefined) return worker;
  worker = new Worker(trustedScript(script), { type: 'module', name: 'highlighting' });
  worker.addEventListener('message', ({ data }: MessageEvent<HighlightAnswer>) => {
    performance.measure('page:highlighted', { start: performance.now() - data.took, duration: data.took });
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  });
  return worker;
}

/** Parts of every line with what they are; undefined until they are known, and where nothing is known of the language. */
export function useHighlighted(
  text: string | undefined,
  language: string | undefined,
): readonly TokenLine[] | undefined {
  const [known, setKnown] = useState<{ readonly of: string; readonly lines: readonly TokenLine[] }>();
  useEffect(() => {
    if (text === undefined || language === undefined || text.length > longest) return;
    const id = ++asked;
    waiting.set(id, (lines) => setKnown({ of: text, lines }));
    const question: HighlightQuestion = { id, text, language };
    startedWorker().postMessage(question);
    return () => void waiting.delete(id);
  }, [text, language]);
  return known !== undefined && known.of === text ? known.lines : undefined;
}
