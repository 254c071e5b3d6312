import { Suspense } from 'react';
import { loadAllWords } from '../../messages/index.ts';
import { later } from '../later.ts';
import type { RichTextProps } from './rich-text.tsx';
import type { TextDiffProps } from './text-diff.tsx';

export const richText = later(() => import('./rich-text.tsx'));
const textDiff = later(async () => (await Promise.all([import('./text-diff.tsx'), loadAllWords()]))[0]);

function LoadedRichText(props: RichTextProps) {
  const Loaded = richText.use().RichText;
  return <Loaded {...props} />;
}

/** HTML that people wrote. */
export function RichText(props: RichTextProps) {
  return (
    <Suspense>
      <LoadedRichText {...props} />
    </Suspense>
  );
}

function LoadedTextDiff(props: TextDiffProps) {
  const Loaded = textDiff.use().TextDiff;
  return <Loaded {...props} />;
}

/** What is different between two versions of a text. */
export function TextDiff(props: TextDiffProps) {
  return (
    <Suspense>
      <LoadedTextDiff {...props} />
    </Suspense>
  );
}
