import { againAfter, wordsOfError } from '../store/index.ts';
import { ErrorPlace, Skeleton } from '../ui/index.ts';

interface WaitingPlaceProps {
  readonly asked: { readonly data: unknown; readonly error: Error | null; refetch(): unknown };
  /** About as many as what comes has. */
  readonly lines: number;
  /** Of the lines and of what went wrong alike. */
  readonly className?: string | undefined;
}

/** Where an answer will stand: grey lines until it is there, or why it did not come and a way to ask again. */
export function WaitingPlace({ asked, lines, className }: WaitingPlaceProps) {
  const { data, error } = asked;
  if (data !== undefined) return null;
  if (error === null) return <Skeleton lines={lines} {...(className === undefined ? {} : { className })} />;
  const place = (
    <ErrorPlace words={wordsOfError(error)} onRetry={againAfter(error, () => void asked.refetch())} />
  );
  return className === undefined ? place : <div className={className}>{place}</div>;
}
