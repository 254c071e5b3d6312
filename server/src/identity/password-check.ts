import { setTimeout as pause } from 'node:timers/promises';
import { unauthenticated } from '../kernel/errors.ts';
import { anonymousViewer } from '../kernel/viewer.ts';
import type { Calls, Database } from '../storage/index.ts';
import { type Attempt, refuseWhenLocked } from './login-attempts.ts';
import { nameKey } from './model.ts';
import type { IdentityOperations } from './operations.ts';
import { type PasswordHasher, RecentPasswords } from './passwords.ts';
import type { Settings } from './settings.ts';
import { type AccountRow, accountByNameKey } from './store.ts';

/** A user name and password that somebody gave, and where they came from. */
export interface PasswordInput {
  readonly name: string;
  readonly password: string;
  readonly address: string;
  /** What somebody is told who is wrong. */
  readonly refused: string;
  /** Set when the caller is known already and repeats the own password: other people's guesses do not count then. */
  readonly isRepeated?: boolean;
}

const nobody = anonymousViewer('regular');
/** From how many failures on an answer is slowed, and by how much at the most. */
const patience = { failures: 4, step: 250, longest: 3000 };

/**
 * Checks passwords. Unknown name and wrong password answer alike and in the same time. Tries are counted before the
 * password is looked at; the same one asked many times at once is one try, and one that was right a moment ago is not
 * hashed again.
 */
export class PasswordCheck {
  readonly #database: Database;
  readonly #operations: Calls<IdentityOperations>;
  readonly #hasher: PasswordHasher;
  readonly #recent = new RecentPasswords();
  /** Checks that are under way, by all that their outcome depends on. */
  readonly #running = new Map<string, Promise<void>>();

  constructor(database: Database, operations: Calls<IdentityOperations>, hasher: PasswordHasher) {
    this.#database = database;
    this.#operations = operations;
    this.#hasher = hasher;
  }

  /** The account whose name and password these are. */
  async check(input: PasswordInput, settings: Settings): Promise<AccountRow> {
    const key = nameKey(input.name);
    const attempt = { accountKey: key, isRepeated: input.isRepeated ?? false, address: input.address };
    const hasFailures = await refuseWhenLocked(this.#database, attempt, settings);
    const row = await this.#database.first<AccountRow>(accountByNameKey, { nameKey: key });
    const hash = row?.password_hash ?? null;
    const isKnown = row !== undefined && hash !== null && this.#recent.isKnown(row.id, input.password, hash);
    if (!isKnown) await this.#checkOnce(attempt, row, input);
    else if (hasFailures) await this.#operations.endAttempt(nobody, { ...attempt, wasCounted: false });
    if (row === undefined) throw unauthenticated(input.refused);
    return row;
  }

  async #checkOnce(attempt: Attempt, row: AccountRow | undefined, input: PasswordInput): Promise<void> {
    const digest = this.#recent.digest(input.password);
    const key = JSON.stringify([attempt, input.refused, row?.password_hash, digest]);
    const running = this.#running.get(key) ?? this.#checkSlowly(attempt, row, input);
    this.#running.set(key, running);
    try {
      await running;
    } finally {
      this.#running.delete(key);
    }
  }

  async #checkSlowly(attempt: Attempt, row: AccountRow | undefined, input: PasswordInput): Promise<void> {
    const failures = await this.#operations.beginAttempt(nobody, attempt);
    const excess = failures - patience.failures;
    if (excess > 0) await pause(Math.min(excess * patience.step, patience.longest));
    const hash = row?.password_hash ?? null;
    if (!(await this.#hasher.matches(input.password, hash))) {
      await this.#operations.recordFailedSignIn(nobody, { name: row?.name, address: input.address });
      throw unauthenticated(input.refused);
    }
    await this.#operations.endAttempt(nobody, { ...attempt, wasCounted: true });
    if (row !== undefined && hash !== null) await this.#remember(row.id, input.password, hash);
  }

  async #remember(id: number, password: string, hash: string): Promise<void> {
    this.#recent.remember(id, password, hash);
    if (!this.#hasher.isOutdated(hash)) return;
    const renewed = await this.#hasher.hash(password);
    await this.#operations.renewHash(nobody, { id, old: hash, hash: renewed });
  }
}
