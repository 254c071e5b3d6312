import { type Account, viewerFor } from '../../identity/index.ts';
import { invalidMember } from '../../kernel/errors.ts';
import { findProject, mayAccess, type ProjectExtension, requireProject } from '../../projects/index.ts';
import { mostTextBytes, type TextFormat } from '../../trackers/index.ts';
import { TextReferences } from '../links/index.ts';
import type { ReadContext } from '../visibility.ts';

export interface TextToRender {
  readonly projectId: number;
  readonly content: string;
  readonly format: TextFormat;
}

export interface RenderedText {
  readonly html: string;
  readonly references: readonly { readonly text: string; readonly href: string }[];
  readonly mentions: readonly Account[];
}

/** What a text of a project would look like were it saved. Runs off the event loop. */
export async function renderForProject(
  { reader, viewer }: ReadContext,
  { projectId, content, format }: TextToRender,
  extensions: readonly ProjectExtension[],
): Promise<RenderedText> {
  const project = await requireProject(reader, viewer, projectId, 'project');
  if (Buffer.byteLength(content) > mostTextBytes)
    throw invalidMember('text', `It must have at most ${mostTextBytes} bytes.`);
  const seesProject = async (accountId: number) => {
    const other = await viewerFor(reader, accountId);
    return other !== undefined && mayAccess(other, await findProject(reader, other, projectId));
  };
  const references = new TextReferences(reader, viewer, { project }, extensions, seesProject);
  return {
    html: content === '' ? '' : await references.render(content, format),
    references: await references.links(content, format),
    mentions: await references.mentions({ content, format }),
  };
}
