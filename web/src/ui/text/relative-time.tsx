import { useFormats } from '../../messages/index.ts';

/** How long ago, or the day; the exact moment with its zone where it is pointed at. */
export function RelativeTime({ at, className }: { at: string; className?: string }) {
  const formats = useFormats();
  return (
    <time dateTime={at} title={formats.exact(at)} className={className}>
      {formats.ago(at)}
    </time>
  );
}
