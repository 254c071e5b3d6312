import { invalid } from '../../kernel/errors.ts';
import { isStorable } from '../../kernel/text.ts';
import { isAnonymous, type Viewer } from '../../kernel/viewer.ts';
import { isShutOut, shortnameKey } from '../../projects/index.ts';
import type { Reader } from '../../storage/index.ts';
import type { TrackerView } from '../../trackers/index.ts';
import type { ReadContext } from '../context.ts';
import type { FromCondition } from '../tql/index.ts';
import { viewsFor } from '../visibility.ts';

/** Trackers that one query looks through, whatever the platform allows. */
const mostTrackers = 2000;

const isOfTrackers = ({ target }: FromCondition) => target === '@tracker.name';

function onlyOne(conditions: readonly FromCondition[], kind: string): FromCondition | undefined {
  if (conditions.length > 1) throw invalid(`FROM can have only one condition on ${kind}.`);
  return conditions[0];
}

/** The texts of a condition; `MY_PROJECTS()` has none. */
function textsOf({ target, values }: FromCondition): readonly string[] {
  const texts = values === 'mine' ? [] : values;
  if (texts.some((text) => text.trim() === ''))
    throw invalid(`${target} cannot be compared to the empty string.`);
  return texts;
}

/** The project whose dashboard the widget is on. */
function requireCurrent(projectId: number | null, what: string): number {
  if (projectId !== null) return projectId;
  throw invalid(`${what} needs a current project: it works in search widgets of projects only.`);
}

/** What `@project` itself is compared to. */
function relativeProjects(words: readonly string[], projectId: number | null): number[] {
  const unknown = words.find((word) => word !== 'self' && word !== 'aggregated');
  if (unknown !== undefined)
    throw invalid(`@project cannot be compared to '${unknown}', only to 'self' and 'aggregated'.`);
  if (new Set(words).size < words.length) throw invalid('@project names the same projects more than once.');
  const current = requireCurrent(projectId, `@project = '${words[0]}'`);
  if (words.includes('aggregated'))
    throw invalid("@project = 'aggregated' is for programs, and the current project is none.");
  return [current];
}

async function ownProjects(reader: Reader, viewer: Viewer): Promise<number[]> {
  const own = reader.sql
    .selectFrom('project_member')
    .innerJoin('project', 'project.id', 'project_member.project_id')
    .select(['project.id', 'project.access'])
    .where('project_member.account_id', '=', viewer.userId)
    .where('project.status', '=', 'active');
  const rows = isAnonymous(viewer) ? [] : await reader.all(own);
  const ids = rows.filter(({ access }) => !isShutOut(viewer, access)).map(({ id }) => id);
  if (ids.length === 0) throw invalid('MY_PROJECTS() finds nothing: you are member of no active project.');
  return ids;
}

async function namedProjects(reader: Reader, names: readonly string[]): Promise<number[]> {
  const keys = names.filter(isStorable).map(shortnameKey);
  if (keys.length === 0) return [];
  const query = reader.sql.selectFrom('project').select('id').where('shortname_key', 'in', keys);
  return (await reader.all(query)).map(({ id }) => id);
}

async function projectsOf(
  { reader, viewer }: ReadContext,
  condition: FromCondition,
  projectId: number | null,
): Promise<readonly number[]> {
  const texts = textsOf(condition);
  if (condition.values === 'mine') return ownProjects(reader, viewer);
  if (condition.target === '@project') return relativeProjects(texts, projectId);
  // Projects have no categories here.
  return condition.target === '@project.name' ? namedProjects(reader, texts) : [];
}

/** Trackers of active projects, by their ids. */
async function findTrackers(
  reader: Reader,
  projects: readonly number[],
  names: readonly string[] | undefined,
): Promise<number[]> {
  const keys = names?.filter(isStorable).map((name) => name.trim().toLowerCase());
  if (projects.length === 0 || keys?.length === 0) return [];
  const inProjects = reader.sql
    .selectFrom('tracker')
    .innerJoin('project', 'project.id', 'tracker.project_id')
    .select('tracker.id')
    .where('project.status', '=', 'active')
    .where('tracker.deleted_at', 'is', null)
    .where('tracker.project_id', 'in', projects)
    .orderBy('tracker.id');
  const named = keys === undefined ? inProjects : inProjects.where('tracker.item_name_key', 'in', keys);
  return (await reader.all(named)).map(({ id }) => id);
}

function refuseMany(count: number, limit: number): void {
  const most = limit > 0 ? Math.min(limit, mostTrackers) : mostTrackers;
  if (count > most)
    throw invalid(
      `The query looks through ${count} trackers, and at most ${most} are allowed. Name fewer in FROM.`,
    );
}

/** What FROM says, of which nothing is wrong by itself. */
interface Scope {
  readonly projects: readonly number[];
  readonly names: readonly string[] | undefined;
}

async function scopeOf(
  readContext: ReadContext,
  from: readonly FromCondition[],
  projectId: number | null,
): Promise<Scope> {
  const ofProjects = onlyOne(
    from.filter((condition) => !isOfTrackers(condition)),
    'projects',
  );
  const ofTrackers = onlyOne(from.filter(isOfTrackers), 'trackers');
  const names = ofTrackers && textsOf(ofTrackers);
  const projects =
    ofProjects === undefined
      ? [requireCurrent(projectId, '@tracker.name without @project')]
      : await projectsOf(readContext, ofProjects, projectId);
  return { projects, names };
}

/** The trackers that FROM means to somebody. `limit`: how many the platform allows; 0: any number. */
export async function trackersFrom(
  readContext: ReadContext,
  from: readonly FromCondition[],
  projectId: number | null,
  limit: number,
): Promise<TrackerView[]> {
  const { projects, names } = await scopeOf(readContext, from, projectId);
  const { reader } = readContext;
  const views = await viewsFor(readContext, await findTrackers(reader, projects, names));
  if (views.length === 0) throw invalid('No tracker found.');
  refuseMany(views.length, limit);
  return views;
}
