import type { ProductApi } from './product/api.ts';

/** One request; its headers come from `rawRequest`, the same for the product and the floors. */
export interface ScenarioRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  /** Sent as JSON. */
  body?: string;
}

/** Which share of a floor's throughput the product promises. */
export interface Target {
  floor: 'http' | 'http+sqlite';
  threads: ThreadMode;
  ratio: number;
}

export interface Scenario {
  name: string;
  /** The load picks one of these at random each time. */
  requests: ScenarioRequest[];
  target?: Target;
}

/** Scenarios that share the data they need. */
export interface ScenarioFamily {
  /** Known before `prepare`, so that a family nobody asked for writes no data. */
  scenarioNames: string[];
  prepare(product: ProductApi): Promise<Scenario[]>;
}

export const threadModes = ['one', 'all'] as const;
export type ThreadMode = (typeof threadModes)[number];
