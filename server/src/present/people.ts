import type { MinimalUser } from '@atelier/contract';
import { type Account, displayName, noneId } from '../identity/index.ts';
import { isAnonymous, type Viewer } from '../kernel/viewer.ts';
import { anonymousName, presentAnonymous, presentMinimalUser, presentUser } from './users.ts';

interface WrittenUser {
  readonly full: string;
  readonly minimal: string;
  /** What cells show. */
  readonly person: string;
  readonly name: string;
  readonly login: string;
}

const personText = ({ id, display_name, avatar_url, user_url, is_anonymous }: MinimalUser) =>
  JSON.stringify({ id, display_name, avatar_url, user_url, is_anonymous });

function writtenNobody(publicUrl: string, more: Readonly<Record<string, null>>): WrittenUser {
  const minimal = presentAnonymous(publicUrl);
  return {
    full: JSON.stringify({ ...minimal, ...more }),
    minimal: JSON.stringify(minimal),
    person: personText(minimal),
    name: '',
    login: '',
  };
}

/** Written users that one thread keeps. */
const mostUsers = 10_000;

/** How viewers differ in what they see of other people. */
const presentation = (viewer: Viewer) => `${viewer.nameDisplay} ${isAnonymous(viewer)}`;

/**
 * Users as JSON, written once for each way of looking at them. Whoever writes an answer asks without waiting; when
 * somebody was not known yet, `load` fetches them and the answer is written again.
 */
export class People {
  readonly #publicUrl: string;
  /** Whoever has no account: as everybody else, whole only for those who are logged in. */
  readonly #nobody: { readonly toStrangers: WrittenUser; readonly toMembers: WrittenUser };
  readonly #byPresentation = new Map<string, Map<number, WrittenUser>>();
  #revision: number | undefined;

  constructor(publicUrl: string) {
    this.#publicUrl = publicUrl;
    this.#nobody = {
      toStrangers: writtenNobody(publicUrl, {}),
      toMembers: writtenNobody(publicUrl, { email: null, status: null }),
    };
  }

  /** `revision`: that of identity, read before or together with what is shown. */
  seenBy(viewer: Viewer, revision: number): PeopleSeen {
    if (revision !== this.#revision) this.#byPresentation.clear();
    this.#revision = revision;
    const key = presentation(viewer);
    const kept = this.#byPresentation.get(key);
    // A full one is left to those who are still writing with it.
    const known = kept === undefined || kept.size > mostUsers ? new Map<number, WrittenUser>() : kept;
    this.#byPresentation.set(key, known);
    const write = (account: Account) => this.#write(viewer, account);
    const seesAddresses = !isAnonymous(viewer);
    const nobody = seesAddresses ? this.#nobody.toMembers : this.#nobody.toStrangers;
    return new PeopleSeen(known, nobody, write, seesAddresses);
  }

  #write(viewer: Viewer, account: Account): WrittenUser {
    const minimal = presentMinimalUser(this.#publicUrl, viewer, account);
    return {
      full: JSON.stringify(presentUser(this.#publicUrl, viewer, account)),
      minimal: JSON.stringify(minimal),
      person: personText(minimal),
      name: displayName(viewer, account),
      login: account.name,
    };
  }
}

/** Users as one viewer sees them. */
export class PeopleSeen {
  readonly #known: Map<number, WrittenUser>;
  readonly #anonymous: WrittenUser;
  readonly #write: (account: Account) => WrittenUser;
  readonly #seesAddresses: boolean;
  readonly #missing = new Set<number>();
  /** Whether e-mail addresses are shown. */
  readonly seesAddresses: boolean;

  constructor(
    known: Map<number, WrittenUser>,
    anonymous: WrittenUser,
    write: (account: Account) => WrittenUser,
    seesAddresses: boolean,
  ) {
    this.seesAddresses = seesAddresses;
    this.#known = known;
    this.#anonymous = anonymous;
    this.#write = write;
    this.#seesAddresses = seesAddresses;
  }

  #find(id: number): WrittenUser {
    if (id === noneId || id === 0) return this.#anonymous;
    const user = this.#known.get(id);
    if (user !== undefined) return user;
    this.#missing.add(id);
    return this.#anonymous;
  }

  full(id: number): string {
    return this.#find(id).full;
  }

  minimal(id: number): string {
    return this.#find(id).minimal;
  }

  person(id: number): string {
    return this.#find(id).person;
  }

  displayName(id: number): string {
    return this.#find(id).name;
  }

  login(id: number): string {
    return this.#find(id).login;
  }

  /** Somebody of whom only the e-mail address is known: addresses are for those who are logged in. */
  address(email: string): string {
    return this.#seesAddresses ? email : anonymousName;
  }

  /** Whether somebody was asked for who is not known yet. */
  get isIncomplete(): boolean {
    return this.#missing.size > 0;
  }

  /**
   * Fetches those who were missing; ids of nobody stand for the anonymous user from then on. Nothing is known before
   * they are there: others write answers meanwhile, and with the same people.
   */
  async load(find: (ids: readonly number[]) => Promise<readonly Account[]>): Promise<void> {
    const ids = [...this.#missing];
    const accounts = new Map((await find(ids)).map((account) => [account.id, account]));
    for (const id of ids) {
      const account = accounts.get(id);
      this.#known.set(id, account === undefined ? this.#anonymous : this.#write(account));
      this.#missing.delete(id);
    }
  }
}
