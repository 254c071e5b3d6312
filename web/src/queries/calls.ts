import { getContent, getQueryContent, listLinkedArtifacts } from '@atelier/client/routes';
import { useQuery } from '@tanstack/react-query';
import { client, type Facet, type ListSource, listAddress } from '../store/index.ts';

/** A cell of what a query found, by the type of its column. */
export type QueryCell = Readonly<Record<string, unknown>>;
export type QueryRow = Readonly<Record<string, QueryCell>>;

export interface QueryColumn {
  readonly name: string;
  readonly type: string;
}

/** A query that is kept, or its text; `widgetId` or `dashboardId`: where it stands, for what it says about its own project. */
export type AskedQuery =
  | { readonly id: string; readonly text?: undefined }
  | {
      readonly text: string;
      readonly widgetId?: number | undefined;
      readonly dashboardId?: number | undefined;
      readonly id?: undefined;
    };

export type QuerySource = ListSource<QueryRow, readonly QueryColumn[]>;

const rowFacet: Facet<QueryRow> = { name: 'query row' };

const isCell = (value: unknown): value is QueryCell => typeof value === 'object' && value !== null;

const rowOf = (artifact: Readonly<Record<string, unknown>>): QueryRow =>
  Object.fromEntries(
    Object.entries(artifact).flatMap(([name, cell]) => (isCell(cell) ? [[name, cell]] : [])),
  );

/** As many as the server gives at once. */
const pageSize = 50;

export const idOfRow = (row: QueryRow): number => Number(row['@artifact']?.['id'] ?? 0);

/** What a query finds, page by page. */
export function contentSource(asked: AskedQuery): QuerySource {
  const address =
    asked.id === undefined
      ? listAddress('/crosstracker_query/content', {
          text: asked.text,
          widget: asked.widgetId,
          dashboard: asked.dashboardId,
        })
      : `/crosstracker_query/${asked.id}/content`;
  return {
    address,
    pageSize,
    read: async (offset, limit, signal) => {
      const { body, page } =
        asked.id === undefined
          ? await client.send(getContent, {
              query: { query: JSON.stringify(bodyOf(asked)), limit, offset },
              signal,
            })
          : await client.send(getQueryContent, {
              params: { id: asked.id },
              query: { limit, offset },
              signal,
            });
      return {
        items: body.artifacts.map(rowOf),
        size: page?.size ?? body.artifacts.length,
        more: body.selected,
      };
    },
    // Which columns a row has is up to the query, so it is kept under it.
    uriOf: (row) => `artifacts/${idOfRow(row)}?${address}`,
    facet: rowFacet,
  };
}

const bodyOf = ({ text, widgetId, dashboardId }: AskedQuery & { readonly text: string }) => ({
  tql_query: text,
  ...(widgetId === undefined ? {} : { widget_id: widgetId }),
  ...(dashboardId === undefined ? {} : { dashboard_id: dashboardId }),
});

export interface LinkedArtifact {
  readonly id: number;
  readonly xref: string;
  readonly title: string;
  readonly color: string;
}

/** What is linked with an artifact, in both directions. */
export function useLinked(id: number, isWanted: boolean) {
  return useQuery({
    queryKey: ['queries', 'linked', id],
    enabled: isWanted,
    queryFn: async ({ signal }): Promise<readonly LinkedArtifact[]> => {
      const found = await client.call(listLinkedArtifacts, { params: { id }, query: { limit: 50 }, signal });
      const all = Array.isArray(found) ? [] : found.collection;
      return all.map((one) => ({
        id: one.id,
        xref: one.xref,
        title: one.title ?? '',
        color: one.tracker.color_name,
      }));
    },
  });
}
