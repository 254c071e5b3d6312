import { useMessages } from '../../messages/index.ts';

/** Why a cell cannot be stored, in the words of the page where it has some for it. */
export function useReason(told: string | undefined): string | undefined {
  const { csv: words } = useMessages();
  return told === undefined ? undefined : (words.reason(told) ?? told);
}

/** The same, which says of itself when it is English. */
export function Reason({ children: told }: { readonly children: string }) {
  const { csv: words } = useMessages();
  const known = words.reason(told);
  return known === undefined ? <span lang="en">{told}</span> : known;
}
