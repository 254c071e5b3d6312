/** Where in an S3-compatible store. */
interface S3Address {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** In front of every name; empty, or it ends with a slash. */
  readonly prefix: string;
}

/** A place in an S3-compatible store, and what opens it. */
export interface S3Place extends S3Address {
  readonly accessKey: string;
  readonly secretKey: string;
}

export const s3Form = 's3://bucket/prefix?endpoint=https://host&region=name';
const form = /^s3:\/\/([A-Za-z0-9][\w.-]+)(?:\/([\w./-]*))?(?:\?(.*))?$/;

/** Keys have settings of their own; in an address they could be shown to somebody. */
function isEndpoint(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username === '';
}

/** Reads an address of the form above; without an endpoint Amazon's is meant. Undefined when it is none. */
export function parseS3Address(text: string): S3Address | undefined {
  const [, bucket, path = '', query = ''] = form.exec(text) ?? [];
  if (bucket === undefined) return undefined;
  const {
    region = 'us-east-1',
    endpoint: named,
    ...unknown
  } = Object.fromEntries(new URLSearchParams(query));
  const endpoint = named ?? `https://s3.${region}.amazonaws.com`;
  if (Object.keys(unknown).length > 0 || !isEndpoint(endpoint)) return undefined;
  const prefix = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `${part}/`)
    .join('');
  return { endpoint: endpoint.replace(/\/+$/, ''), region, bucket, prefix };
}
