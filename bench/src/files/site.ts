import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { type Client, createClient } from '@atelier/client';
import {
  createArtifact,
  createField,
  createProject,
  createTracker,
  putArtifact,
  reserveUpload,
} from '@atelier/contract';
import { runTransfer, type Transferred } from './transfer.ts';

/** A file that is attached. */
export interface Attached {
  artifactId: number;
  /** From where everybody who may read the artifact downloads it. */
  url: string;
}

/** A product with a tracker for files. */
export class FileSite {
  readonly #baseUrl: string;
  readonly #accessKey: string;
  readonly #client: Client;
  #trackerId = 0;
  #fieldId = 0;

  private constructor(baseUrl: string, accessKey: string) {
    this.#baseUrl = baseUrl;
    this.#accessKey = accessKey;
    this.#client = createClient({ baseUrl, accessKey });
  }

  static async prepare(baseUrl: string, accessKey: string): Promise<FileSite> {
    const site = new FileSite(baseUrl, accessKey);
    await site.#createTracker();
    return site;
  }

  async #createTracker(): Promise<void> {
    const project = { shortname: 'files', label: 'Files', description: 'Of the benchmark', is_public: true };
    const { id } = await this.#client.call(createProject, {
      body: { ...project, xml_template_name: 'empty' },
    });
    const tracker = { label: 'Files', item_name: 'file' };
    this.#trackerId = (await this.#client.call(createTracker, { params: { id }, body: tracker })).id;
    const field = { type: 'file', label: 'Attachments', name: 'attachments' };
    const params = { id: this.#trackerId };
    this.#fieldId = (await this.#client.call(createField, { params, body: field })).field_id;
  }

  /** Uploads a file by tus, measured alone, and attaches it to a new artifact. */
  async attach(path: string): Promise<{ file: Attached; uploaded: Transferred }> {
    const facts = { name: basename(path), file_size: statSync(path).size, file_type: 'application/zip' };
    const reserved = await this.#client.call(reserveUpload, { params: { id: this.#fieldId }, body: facts });
    const to = `${this.#baseUrl}${reserved.upload_href}`;
    const uploaded = await runTransfer({ kind: 'upload', from: path, to, accessKey: this.#accessKey });
    const values = this.#values([reserved.id]);
    const { id } = await this.#client.call(createArtifact, {
      body: { tracker: { id: this.#trackerId }, values },
    });
    return { file: { artifactId: id, url: `${this.#baseUrl}${reserved.download_href}` }, uploaded };
  }

  async detach({ artifactId: id }: Attached): Promise<void> {
    await this.#client.call(putArtifact, { params: { id }, body: { values: this.#values([]) } });
  }

  #values(ids: number[]) {
    return [{ field_id: this.#fieldId, value: ids }];
  }

  download({ url }: Attached, copies = 1): Promise<Transferred> {
    return runTransfer({ kind: 'download', from: url, accessKey: this.#accessKey, copies });
  }

  /** The bytes as anybody gets them. */
  async bytes({ url }: Attached): Promise<AsyncIterable<Uint8Array>> {
    const response = await fetch(url, { headers: { 'X-Auth-AccessKey': this.#accessKey } });
    if (response.status !== 200 || response.body === null) throw new Error(`GET answered ${response.status}`);
    return response.body;
  }
}
