import type { DeletionArchive, ListedArtifacts } from '../artifacts/index.ts';
import type { PreviewMaker } from '../files/index.ts';
import type { Authenticator, PasswordHasher } from '../identity/index.ts';
import type { Config } from '../kernel/config.ts';
import type { ConnectionCounts } from '../kernel/connection-counts.ts';
import type { Metrics } from '../kernel/metrics.ts';
import type { Places } from '../kernel/places.ts';
import type { EventStreams } from '../live/index.ts';
import type { Operations, Searches } from '../operations.ts';
import type { People } from '../present/index.ts';
import type { BlobKeeper, Database } from '../storage/index.ts';
import type { AccessKeeper, DavLine, SvnDeps } from '../svn/index.ts';
import type { Trackers } from '../trackers/index.ts';
import type { AnswerMemory, BodyBudget, Door, Slices } from './limits/index.ts';
import type { ReadingRecorder } from './reading-recorder.ts';
import type { SvnUseRecorder } from './svn-use-recorder.ts';
import type { VisitRecorder } from './visit-recorder.ts';
import type { WebApplication } from './web-application.ts';

/** What a line of the log may say. Never a secret. */
export interface Log {
  debug(facts: object, words: string): void;
  info(facts: object, words: string): void;
  warn(facts: object, words: string): void;
  error(facts: object, words: string): void;
}

/** All that the routes of one thread work with. */
export interface Services {
  readonly config: Config;
  /** The address the service gives as its own. */
  readonly publicUrl: string;
  readonly database: Database;
  readonly operations: Operations;
  readonly searches: Searches;
  readonly trackers: Trackers;
  /** Where deleted artifacts are archived. */
  readonly archive: DeletionArchive;
  /** The bytes of files. */
  readonly keeper: BlobKeeper;
  readonly previews: PreviewMaker;
  /** Users as JSON, as each viewer sees them. */
  readonly people: People;
  /** Artifacts as lists showed them. */
  readonly listed: ListedArtifacts;
  /** Notes which artifacts people read in the web pages. */
  readonly visits: VisitRecorder;
  /** Notes that they have read what they were told of them. */
  readonly readings: ReadingRecorder;
  /** Who reads which repository. */
  readonly svnUses: SvnUseRecorder;
  readonly authenticator: Authenticator;
  readonly hasher: PasswordHasher;
  /** How many connections there are. */
  readonly connections: ConnectionCounts;
  /** Memory for the bodies of requests. */
  readonly bodies: BodyBudget;
  /** Where long work on them is done. */
  readonly slices: Slices;
  readonly metrics: Metrics;
  /** What all answers of the thread hold. */
  readonly answerMemory: AnswerMemory;
  readonly log: Log;
  readonly jwtSecret: string;
  /** What repositories are made and changed with. */
  readonly svnDeps: SvnDeps;
  /** Keeps their access files as they should be. */
  readonly access: AccessKeeper;
  /** How many requests the Apache that serves them has at once. */
  readonly svnPlaces: Places;
  /** The way to the Apache that serves them. */
  readonly dav: DavLine;
  /** Where requests come in: it knows whether the service stops. */
  readonly door: Door;
  /** What is told to those who listen. */
  readonly streams: EventStreams;
  /** How many streams there are, by the session or key that they belong to. */
  readonly streamCounts: ConnectionCounts;
  /** The application for browsers, as far as it is built. */
  readonly web: WebApplication;
  /** Whether what runs is finished and what comes is refused. */
  isStopping(): boolean;
}
