import type { EngineName } from './databases/home.ts';
import type { Dataset } from './dataset/dataset.ts';
import type { WriteFloor } from './floors/write-floor.ts';
import type { ProductApi } from './product/api.ts';
import type { ScenarioRequest } from './scenario-request.ts';
import type { ThreadMode } from './thread-modes.ts';

export type { ScenarioRequest } from './scenario-request.ts';
export { type ThreadMode, threadModes } from './thread-modes.ts';

/** What is asked of the product. */
export type Traffic =
  /** One of these at random each time. */
  | { kind: 'any'; requests: ScenarioRequest[] }
  /** The path with every number of the range behind it, in an order that no cache foresees. */
  | { kind: 'walk'; path: string; first: number; count: number }
  /** Changes by PUT, each with the tag of the version before in If-Match; bodies that follow one another differ. */
  | { kind: 'edits'; paths: string[]; bodies: string[] };

/** What is asked without pause meanwhile, and not measured. */
export interface Beside {
  traffic: Traffic;
  /** One unless given. */
  connections?: number;
  /** Of somebody else than whoever is measured. */
  accessKey?: string;
}

/** Bare servers that give the same answers, a bare loop that writes the same rows, or nothing to compare with. */
export type Floors = 'answers' | WriteFloor | 'none';

export interface Scenario {
  name: string;
  traffic: Traffic;
  /** 32 unless given. */
  connections?: number;
  /** Milliseconds from one request to the next of the same connection, for a load that is light on purpose. */
  paceMs?: number;
  beside?: Beside;
  floors: Floors;
  /** With one HTTP thread only, unless given. */
  threads?: readonly ThreadMode[];
  targets?: Target[];
}

export type FloorName = 'http' | 'http+sqlite' | 'sqlite' | 'http+postgres' | 'postgres';
export type ServerName = FloorName | 'atelier';

/** What the product promises, with one HTTP thread. */
export type Target =
  /** At least this share of a floor's throughput. */
  | { kind: 'share'; of: FloorName; least: number }
  /** At least this share of the throughput of another scenario. */
  | { kind: 'flat'; as: string; least: number }
  /** `on`: promised on this engine alone. */
  | { kind: 'latency'; figure: 'p50Ms' | 'p99Ms' | 'maxMs'; most: number; on?: EngineName };

/** Scenarios that share the data they need. */
export interface ScenarioFamily {
  name: string;
  /** Known before `prepare`, so that a family nobody asked for writes no data. */
  scenarioNames: string[];
  /** How many artifacts the product has; absent: it is empty. */
  artifacts?: number;
  prepare(site: Site): Promise<Scenario[]>;
}

/** A running product that a family prepares its data in. */
export interface Site {
  baseUrl: string;
  api: ProductApi;
  dataset?: Dataset;
}
