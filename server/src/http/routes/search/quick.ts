import * as contract from '@atelier/contract';
import { listFavorites, listVisits, type VisitedPlace } from '../../../identity/index.ts';
import { second } from '../../../kernel/clock.ts';
import { invalidMember } from '../../../kernel/errors.ts';
import type { QuickSearch } from '../../../kernel/quick-search.ts';
import { foldedWords } from '../../../kernel/text.ts';
import { isAnonymous, type Viewer } from '../../../kernel/viewer.ts';
import { presentMinimalUser } from '../../../present/index.ts';
import { readProject, shortnameKey } from '../../../projects/index.ts';
import { bind, type RouteBinding } from '../../route.ts';
import type { Services } from '../../services.ts';

type Kind = (typeof contract.quickKinds)[number];
type Results = contract.QuickResult[];

const most = 8;

interface QuickRequest {
  readonly viewer: Viewer;
  /** What was typed. */
  readonly text: string;
  readonly words: readonly string[];
  readonly projectId: number | undefined;
  /** What the viewer likes, then what they visited. */
  readonly places: readonly VisitedPlace[];
}

const searchFor = ({ words, projectId, places }: QuickRequest, kind: string): QuickSearch => ({
  words,
  projectId,
  preferred: places.filter((place) => place.kind === kind).map(({ id }) => id),
  limit: most,
});

/** The address of the page of something is that of the thing. */
const at = (uri: string) => ({ uri, html_url: `/${uri}` });

const looks: Readonly<Record<Kind, (services: Services, request: QuickRequest) => Promise<Results>>> = {
  async projects({ searches }, request) {
    const found = await searches.searchProjects(request.viewer, searchFor(request, 'project'));
    return found.map(({ id, label, shortname, icon }) => {
      const name = shortnameKey(shortname);
      const html_url = `/projects/${name}`;
      return { id, uri: `projects/${id}`, html_url, label, detail: name, color: null, icon: icon || null };
    });
  },
  async trackers({ searches }, request) {
    const found = await searches.searchTrackers(request.viewer, searchFor(request, 'tracker'));
    return found.map(({ id, name, color, projectLabel }) => ({
      ...{ id, ...at(`trackers/${id}`), label: name, detail: projectLabel, color, icon: null },
    }));
  },
  async reports({ searches }, request) {
    const found = await searches.searchReports(request.viewer, searchFor(request, 'report'));
    return found.map(({ id, name, trackerId, trackerName, color }) => ({
      id,
      uri: `tracker_reports/${id}`,
      html_url: `/trackers/${trackerId}?report=${id}`,
      ...{ label: name, detail: trackerName, color, icon: null },
    }));
  },
  async dashboards({ searches }, request) {
    const found = await searches.searchDashboards(request.viewer, searchFor(request, 'dashboard'));
    return found.map(({ id, title, projectLabel }) => ({
      ...{ id, ...at(`dashboards/${id}`), label: title, detail: projectLabel ?? '', color: null, icon: null },
    }));
  },
  async artifacts({ searches, config }, request) {
    const patience = config.searchSeconds * second;
    const search = { ...searchFor(request, 'artifact'), text: request.text, patience };
    const found = await searches.searchTitles(request.viewer, search);
    return found.map(({ id, title, xref, color, projectLabel }) => ({
      id,
      ...at(`artifacts/${id}`),
      ...{ label: title === '' ? xref : title, detail: `${xref} · ${projectLabel}`, color, icon: null },
    }));
  },
  async people({ searches, publicUrl }, request) {
    const { viewer, words, projectId, text: query } = request;
    if (words.length === 0) return [];
    const listing = { query, limit: most, offset: 0 };
    const accounts =
      projectId === undefined
        ? await searches.searchPeople(viewer, { words, limit: most })
        : (await searches.listProjectMembers(viewer, { projectId, ...listing })).items.map(
            ({ account }) => account,
          );
    return accounts.map((account) => {
      const { uri, user_url, username, real_name, avatar_url } = presentMinimalUser(
        publicUrl,
        viewer,
        account,
      );
      const names = { label: real_name || username || '', detail: username ?? '' };
      return {
        id: account.id,
        uri: uri ?? '',
        html_url: user_url ?? '',
        ...names,
        color: null,
        icon: avatar_url,
      };
    });
  },
  async repositories({ searches }, request) {
    const found = await searches.searchRepositories(request.viewer, searchFor(request, 'svn'));
    return found.map(({ id, name, projectLabel }) => ({
      ...{ id, ...at(`svn/${id}`), label: name, detail: projectLabel, color: null, icon: null },
    }));
  },
};

function kindsIn(input: readonly string[] | undefined): readonly Kind[] {
  const names = (input ?? []).flatMap((part) => part.split(',')).map((name) => name.trim());
  const request = names.filter((name) => name !== '');
  const kinds = contract.quickKinds.filter((kind) => request.length === 0 || request.includes(kind));
  const unknown = request.find((name) => !contract.quickKinds.some((kind) => kind === name));
  if (unknown !== undefined)
    throw invalidMember('kinds', `Expected some of (${contract.quickKinds.join(',')}).`);
  return kinds;
}

async function placesOf({ database }: Services, viewer: Viewer): Promise<readonly VisitedPlace[]> {
  if (isAnonymous(viewer)) return [];
  const favorites = await listFavorites(database, viewer, viewer.userId);
  return [...favorites, ...(await listVisits(database, viewer, viewer.userId))];
}

/** Characters of what is typed into a palette. */
const longestText = 1000;

export function quickSearchBindings(services: Services): RouteBinding[] {
  return [
    bind(contract.quickSearch, async ({ viewer, query: { words: text = '', project_id, kinds } }) => {
      if (text.length > longestText)
        throw invalidMember('words', `It must have at most ${longestText} characters.`);
      const wanted = kindsIn(kinds);
      if (project_id !== undefined) await readProject(services.database, viewer, project_id);
      const places = await placesOf(services, viewer);
      const request = { viewer, text, words: foldedWords(text), projectId: project_id, places };
      const found = await Promise.all(
        contract.quickKinds.map((kind) => (wanted.includes(kind) ? looks[kind](services, request) : [])),
      );
      const [projects, trackers, reports, dashboards, artifacts, people, repositories] = found;
      return {
        body: {
          projects: projects ?? [],
          trackers: trackers ?? [],
          reports: reports ?? [],
          dashboards: dashboards ?? [],
          artifacts: artifacts ?? [],
          people: people ?? [],
          repositories: repositories ?? [],
        },
      };
    }),
  ];
}
