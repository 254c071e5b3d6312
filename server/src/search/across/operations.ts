import type { Viewer } from '../../kernel/viewer.ts';
import type { Reader } from '../../storage/index.ts';
import type { Trackers } from '../../trackers/index.ts';
import { findContent, findLinkedContent, type LinkedRequest, type QueryRequest } from './run.ts';
import { createQuery, deleteQuery, replaceQuery } from './saved-queries.ts';
import { changeWidget, createWidget, deleteWidget } from './widgets.ts';

/** Everything that changes what people keep to search by. Each runs in one transaction, wherever writes run. */
export const crossTrackerOperations = {
  createWidget,
  changeWidget,
  deleteWidget,
  createQuery,
  replaceQuery,
  deleteQuery,
};

/** Reads that take their time, and so run off the event loop. */
export function crossTrackerSearches(trackers: Trackers) {
  return {
    findContent: (reader: Reader, viewer: Viewer, input: QueryRequest) =>
      findContent(reader, viewer, input, trackers),
    findLinkedContent: (reader: Reader, viewer: Viewer, input: LinkedRequest) =>
      findLinkedContent(reader, viewer, input, trackers),
  };
}
