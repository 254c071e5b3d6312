import type { Trackers } from '../../trackers/index.ts';
import { searchesIn } from '../context.ts';
import { findContent, findLinkedContent } from './run.ts';
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
export const crossTrackerSearches = (trackers: Trackers) =>
  searchesIn(trackers, { findContent, findLinkedContent });
