import * as contract from '@atelier/contract';
import { readImport, readShippedTemplate } from '../../../archive/index.ts';
import { invalid } from '../../../kernel/errors.ts';
import type { Viewer } from '../../../kernel/viewer.ts';
import { projectExtensions } from '../../../operations.ts';
import { projectForm, projectText } from '../../../present/index.ts';
import {
  checkNewProject,
  comesFromArchive,
  listProjects,
  mayAccess,
  type NewProject,
  type Project,
  type ProjectCriterion,
  type ProjectFigures,
  readFigures,
  readProject,
  readProjectNamed,
  rememberedProjectFields,
  resourceTypes,
} from '../../../projects/index.ts';
import { archiveFolder } from '../../bytes/index.ts';
import { bind, Json, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';
import { parseQueryObject } from '../artifacts/index.ts';

type QueryObject = Readonly<Record<string, unknown>>;

function shortnameOf({ shortname }: QueryObject): ProjectCriterion | undefined {
  if (shortname === undefined || shortname === null) return undefined;
  if (typeof shortname === 'string') return { kind: 'shortname', shortname };
  throw invalid('parameter "query": "shortname" must be a text');
}

const statuses = ['active', 'pending', 'suspended', 'deleted', 'system'] as const;

function statusOf({ with_status: wanted }: QueryObject): ProjectCriterion | undefined {
  if (wanted === undefined || wanted === null) return undefined;
  const status = statuses.find((candidate) => candidate === wanted);
  if (status !== undefined) return { kind: 'status', status };
  throw invalid(`parameter "query": "with_status" must be one of ${statuses.join(', ')}`);
}

function onlyTrue(
  criteria: QueryObject,
  name: string,
  criterion: ProjectCriterion,
): ProjectCriterion | undefined {
  const value = criteria[name];
  if (value === undefined || value === null) return undefined;
  if (value === true) return criterion;
  throw invalid(`parameter "query": "${name}" can only be true`);
}

function wordsOf({ words }: QueryObject): string | undefined {
  if (words === undefined || words === null) return undefined;
  if (typeof words === 'string') return words;
  throw invalid('parameter "query": "words" must be a text');
}

interface Wanted {
  readonly criterion: ProjectCriterion;
  readonly words: string;
}

function wantedIn(query: string): Wanted {
  const listed = { kind: 'listed' } as const;
  if (query.trim() === '') return { criterion: listed, words: '' };
  const criteria = parseQueryObject(query);
  if (criteria === undefined) throw invalid('parameter "query" must be a JSON object');
  const words = wordsOf(criteria);
  const criterion = criterionOf(criteria) ?? (words === undefined ? undefined : listed);
  if (criterion !== undefined) return { criterion, words: words ?? '' };
  throw invalid(
    'parameter "query" must have one of the members "shortname", "is_tracker_admin", "with_status", "is_member_of", "is_admin_of" and "words"',
  );
}

/** The first member that is given counts; the others are checked and ignored. */
function criterionOf(criteria: QueryObject): ProjectCriterion | undefined {
  const isAdmin = criteria['is_admin_of'] !== undefined && criteria['is_admin_of'] !== null;
  const [first] = [
    shortnameOf(criteria),
    onlyTrue(criteria, 'is_tracker_admin', { kind: 'tracker-administrator' }),
    statusOf(criteria),
    onlyTrue(criteria, 'is_member_of', { kind: 'member' }),
    isAdmin ? ({ kind: 'administrator' } as const) : undefined,
  ].filter((criterion) => criterion !== undefined);
  return first;
}

function newProject(body: contract.BodyOf<typeof contract.createProject>): NewProject {
  return {
    shortname: body.shortname,
    label: body.label,
    description: body.description ?? '',
    isPublic: body.is_public,
    allowRestricted: body.allow_restricted ?? null,
    templateId: body.template_id,
    xmlTemplateName: body.xml_template_name ?? '',
    isFromArchive: body.from_archive !== undefined,
    categories: body.categories?.length ?? 0,
    fields: (body.fields ?? []).map(({ field_id, value }) => ({ fieldId: field_id, value })),
  };
}

/** Makes a project whose content is still to be uploaded. */
async function awaitArchive(
  { database, operations, config }: Services,
  viewer: Viewer,
  { from_archive: file }: contract.BodyOf<typeof contract.createProject>,
  project: NewProject,
): Promise<contract.AwaitedProject> {
  const largest = viewer.isSiteAdmin ? config.maxArchiveSize : config.maxUserArchiveSize;
  const upload = { name: file?.file_name ?? '', size: file?.file_size ?? 0, largest };
  const { projectId: id, importId } = await operations.createProjectFromArchive(viewer, { project, upload });
  const { archiveNumber } = await readImport(database, viewer, importId);
  return { id, uri: `projects/${id}`, upload_href: `${archiveFolder}/${archiveNumber}` };
}

/** Without what is told to those who are let in alone: some see a project because they manage it, or a tracker of it. */
const asSeenBy = (viewer: Viewer, project: Project): Project =>
  project.banner === null || mayAccess(viewer, project) ? project : { ...project, banner: null };

/** Writes projects in their full form, as it is at a revision. */
function projectWriter({ database }: Services) {
  const fieldsAt = rememberedProjectFields(database);
  const types = resourceTypes(projectExtensions);
  let form = projectForm(types, []);
  return async (
    viewer: Viewer,
    revision: number,
  ): Promise<(project: Project, figures?: ProjectFigures) => string> => {
    const fields = await fieldsAt(revision);
    if (fields !== form.fields) form = projectForm(types, fields);
    const current = form;
    return (project, figures) => projectText(asSeenBy(viewer, project), current, figures);
  };
}

export function projectBindings(services: Services): RouteBinding[] {
  const { database, operations, searches } = services;
  const writerAt = projectWriter(services);
  const writer = async (viewer: Viewer) => writerAt(viewer, await database.revision('identity'));
  return [
    bind(contract.listProjects, async ({ viewer, query: { query = '', order = 'id', limit, offset } }) => {
      const { criterion, words } = wantedIn(query);
      const listing = { criterion, limit, offset };
      const { items, size } =
        order === 'id' && words === ''
          ? await listProjects(database, viewer, listing, projectExtensions)
          : await searches.listSortedProjects(viewer, { ...listing, words, order });
      const figures = await readFigures(database, viewer, items, projectExtensions);
      const write = await writer(viewer);
      const texts = items.map((project) => write(project, figures.get(project.id)));
      return { body: new Json(`[${texts.join(',')}]`), page: { limit, offset, size } };
    }),
    bind(contract.createProject, async ({ viewer, query, body }) => {
      const project = newProject(body);
      if (query.dry_run) {
        await checkNewProject(database, viewer, project);
        return { status: 204 };
      }
      if (comesFromArchive(project)) return { body: await awaitArchive(services, viewer, body, project) };
      const shipped = await readShippedTemplate(project.xmlTemplateName);
      const created = await operations.createProject(viewer, { ...project, shipped });
      const write = await writer(viewer);
      return { body: new Json(write(created)) };
    }),
    bind(contract.getProject, async ({ viewer, params }) => {
      const { project, revision } = await readProject(database, viewer, params.id);
      const write = await writerAt(viewer, revision);
      return { body: new Json(write(project)), version: { tag: `project_${params.id}` } };
    }),
    bind(contract.getProjectNamed, async ({ viewer, params }) => {
      const { project, revision } = await readProjectNamed(database, viewer, params.shortname);
      const write = await writerAt(viewer, revision);
      return { body: new Json(write(project)) };
    }),
    bind(contract.patchProject, async ({ viewer, params, body }) => {
      await operations.changeProjectStatus(viewer, { id: params.id, status: body.status });
      return {};
    }),
  ];
}
