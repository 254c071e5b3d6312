import type { ScenarioRequest } from '../scenario-request.ts';

/** The little of the product's API that preparing a scenario needs. */
export class ProductApi {
  readonly #base: string;
  readonly #accessKey: string;

  constructor(port: number, accessKey: string) {
    this.#base = `http://127.0.0.1:${port}`;
    this.#accessKey = accessKey;
  }

  /** Creates something and gives its id. */
  async create(path: string, content: object): Promise<number> {
    return readId(await this.text({ method: 'POST', path, body: JSON.stringify(content) }));
  }

  /** The body of the answer; throws when the product refuses. */
  async text(request: ScenarioRequest): Promise<string> {
    return (await this.#ask(request)).answer;
  }

  /** How many things a list has in all. */
  async sizeOf(path: string): Promise<number> {
    const { response } = await this.#ask({ method: 'GET', path });
    return Number(response.headers.get('X-PAGINATION-SIZE'));
  }

  async #ask({ method, path, body }: ScenarioRequest): Promise<{ response: Response; answer: string }> {
    const headers = apiHeaders(this.#accessKey, body);
    const response = await fetch(this.#base + path, { method, headers, body });
    const answer = await response.text();
    if (response.ok) return { response, answer };
    throw new Error(`${method} ${path} answered ${response.status}: ${answer.slice(0, 500)}`);
  }
}

/** Asks for plain bytes, so that no answer differs from the floors' by being compressed. */
export function apiHeaders(accessKey: string, body: string | undefined): Record<string, string> {
  const headers = {
    'X-Auth-AccessKey': accessKey,
    Accept: 'application/json',
    'Accept-Encoding': 'identity',
  };
  return body === undefined ? headers : { ...headers, 'Content-Type': 'application/json' };
}

function readId(answer: string): number {
  const created: unknown = JSON.parse(answer);
  if (typeof created === 'object' && created !== null && 'id' in created && typeof created.id === 'number') {
    return created.id;
  }
  throw new Error(`No id in the answer ${answer.slice(0, 500)}`);
}
