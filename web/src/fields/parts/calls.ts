import { getMembership, reserveUpload } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client, wordsOfError } from '../../store/index.ts';
import { type FoundArtifact, findArtifacts } from '../calls.ts';

const none: readonly FoundArtifact[] = [];

/** Ids of all groups of projects that one is in, asked for where it matters; absent until it is known. */
export function useOwnGroups(isWanted: boolean): readonly string[] | undefined {
  const { data } = useQuery({
    queryKey: ['users/self', 'groups'],
    queryFn: ({ signal }) =>
      client.call(getMembership, {
        params: { id: 'self' },
        query: { scope: 'project', format: 'id' },
        signal,
      }),
    enabled: isWanted,
  });
  return data?.map(String);
}

export function useFoundArtifacts(words: string, projectId: number) {
  const { data, isFetching } = useQuery({
    queryKey: ['artifacts', 'found', projectId, words],
    queryFn: ({ signal }) => findArtifacts(words, projectId, signal),
    enabled: words.trim() !== '',
    placeholderData: (before) => before,
  });
  return { found: words.trim() === '' ? none : (data ?? none), isAsking: isFetching };
}

const mostShown = 200_000;

/** The beginning of a file as text, for those who only want to look at it. */
export function useFileText(address: string | null): string | undefined {
  const { data } = useQuery({
    queryKey: ['file text', address],
    queryFn: async ({ signal }) => {
      const response = await client.bytes(address ?? '', { signal });
      return (await response.text()).slice(0, mostShown);
    },
    enabled: address !== null,
    gcTime: 0,
  });
  return data;
}

export interface ReservedFile {
  readonly id: number;
  /** Where it is read once it has arrived. */
  readonly address: string;
  /** Sends its bytes; what was cut off goes on where it stopped. */
  send(options: UploadOptions): Promise<void>;
}

/** How many files are being sent. */
let onTheirWay = 0;
const ask = (event: Event) => event.preventDefault();

/** Other pages of the application let files arrive; whoever leaves it, or loads it anew, is asked first. */
async function onGuard(sending: Promise<void>): Promise<void> {
  onTheirWay += 1;
  window.addEventListener('beforeunload', ask);
  try {
    await sending;
  } finally {
    onTheirWay -= 1;
    if (onTheirWay === 0) window.removeEventListener('beforeunload', ask);
  }
}

interface UploadOptions {
  readonly onProgress?: (arrived: number, size: number) => void;
  readonly signal?: AbortSignal;
}

/** Asks for a place for a file of a field; the same file gets the same place, so that an upload that was cut goes on. */
export async function reserveFile(fieldId: number, file: File, signal?: AbortSignal): Promise<ReservedFile> {
  const body = { name: file.name, file_size: file.size, file_type: file.type || 'application/octet-stream' };
  const reservation = await client.call(reserveUpload, { params: { id: fieldId }, body, signal });
  return {
    id: reservation.id,
    address: reservation.download_href,
    send: (options) => onGuard(client.upload(reservation, file, options)),
  };
}

/** Why a file did not arrive: in the words of the server, unless it said nothing. */
export const faultOfUpload = (error: unknown, otherwise: string): string =>
  error instanceof TypeError ? otherwise : wordsOfError(error);

/** Brings a file to a field. */
export async function uploadFile(
  fieldId: number,
  file: File,
  options: UploadOptions,
): Promise<Pick<ReservedFile, 'id' | 'address'>> {
  const reserved = await reserveFile(fieldId, file, options.signal);
  await reserved.send(options);
  return reserved;
}
