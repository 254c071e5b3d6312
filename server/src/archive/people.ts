import { type Account, findAccount, noneId } from '../identity/index.ts';
import { attributeOf, element, type XmlElement } from '../kernel/xml.ts';
import type { Reader } from '../storage/index.ts';
import { found } from './keys.ts';

/** The accounts that people of an archive are here, by each of the ways in which it names them. Plain data. */
export interface ArchivedPeople {
  readonly byName: Readonly<Record<string, number>>;
  readonly byId: Readonly<Record<string, number>>;
  readonly byLdapId: Readonly<Record<string, number>>;
  /** Accounts of this platform, whether or not the archive tells of them. */
  readonly byEmail: Readonly<Record<string, number>>;
}

export const nobodyKnown: ArchivedPeople = { byName: {}, byId: {}, byLdapId: {}, byEmail: {} };

/** Somebody without an account. */
export const anonymous = 0;

/** The account that an element refers to: 100 for nobody, 0 for somebody without an account, undefined: unknown. */
export function personOf(people: ArchivedPeople, reference: XmlElement): number | undefined {
  const text = reference.text.trim();
  switch (attributeOf(reference, 'format')) {
    case 'id':
      return found(people.byId, text);
    case 'ldap':
      return found(people.byLdapId, text);
    case 'email':
      return found(people.byEmail, text) ?? anonymous;
    default:
      return text === 'None' ? noneId : found(people.byName, text);
  }
}

/** The address of somebody without an account; null for everybody else. */
export function anonymousEmail(people: ArchivedPeople, reference: XmlElement): string | null {
  const isEmail = attributeOf(reference, 'format') === 'email';
  return isEmail && personOf(people, reference) === anonymous ? reference.text.trim() || null : null;
}

/** Writes references to accounts, and knows afterwards whom it named. */
export class AccountReferences {
  readonly #reader: Reader;
  readonly #known = new Map<number, Account | undefined>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  /** Everybody who was named, for users.xml. */
  get written(): readonly Account[] {
    return [...this.#known.values()].filter((account) => account !== undefined);
  }

  async #account(id: number): Promise<Account | undefined> {
    if (!this.#known.has(id)) this.#known.set(id, await findAccount(this.#reader, id));
    return this.#known.get(id);
  }

  /** An element of this name that refers to the account; `email` is that of somebody without one. */
  async refer(name: string, id: number, email: string | null = null): Promise<XmlElement> {
    if (id === noneId) return element(name, { format: 'username' }, 'None');
    const account = id === anonymous ? undefined : await this.#account(id);
    if (account === undefined) return element(name, { format: 'email', is_anonymous: '1' }, email ?? '');
    const { ldapId } = account;
    return ldapId === null || ldapId === ''
      ? element(name, { format: 'username' }, account.name)
      : element(name, { format: 'ldap' }, ldapId);
  }
}
