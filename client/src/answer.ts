import { ApiError, errorOf } from './error.ts';
import type { ResponseOf } from './routes.ts';

/** Where the items of an answer lie in the whole collection. */
export interface PagePlace {
  readonly limit: number;
  readonly offset: number;
  /** How many items the whole collection has. */
  readonly size: number;
}

/** A success, with what its headers tell. */
export interface Answer<Route> {
  readonly status: number;
  readonly body: ResponseOf<Route>;
  /** The version that was read or made, for `ifMatch` and `ifNoneMatch`. */
  readonly etag: string | undefined;
  readonly lastModified: Date | undefined;
  /** Of a list. */
  readonly page: PagePlace | undefined;
  readonly headers: Headers;
}

function contentOf(text: string): { readonly value: unknown; readonly isJson: boolean } {
  if (text === '') return { value: undefined, isJson: true };
  try {
    return { value: JSON.parse(text), isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

/** Throws the error of an answer that is not a success. */
export async function successOf(response: Response): Promise<Response> {
  if (!response.ok) throw errorOf(response, contentOf(await response.text()).value);
  return response;
}

async function bodyOf<Route>(response: Response): Promise<ResponseOf<Route>> {
  const { status } = response;
  const { value, isJson } = contentOf(await response.text());
  if (!isJson)
    throw new ApiError({ status, message: 'The answer is not JSON: is this the right server?', body: value });
  // The server keeps to the contract; that is what its own tests are for.
  return value as ResponseOf<Route>;
}

function placeOf(headers: Headers): PagePlace | undefined {
  const [limit, offset, size] = ['LIMIT', 'OFFSET', 'SIZE'].map((name) =>
    headers.get(`X-PAGINATION-${name}`),
  );
  if (typeof limit !== 'string' || typeof offset !== 'string' || typeof size !== 'string') return undefined;
  return { limit: Number(limit), offset: Number(offset), size: Number(size) };
}

function dateOf(text: string | null): Date | undefined {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export async function answerOf<Route>(response: Response): Promise<Answer<Route>> {
  const { status, headers } = await successOf(response);
  return {
    status,
    body: await bodyOf<Route>(response),
    etag: headers.get('Etag') ?? undefined,
    lastModified: dateOf(headers.get('Last-Modified')),
    page: placeOf(headers),
    headers,
  };
}
