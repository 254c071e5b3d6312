import { parseInstant } from '../kernel/clock.ts';
import { attributeOf, childOf, childrenOf, listedIn, textOf, type XmlElement } from '../kernel/xml.ts';
import { archiveFault } from './model.ts';

/** Somebody whom an archive names, the first time that it does. */
export interface NamedPerson {
  readonly format: string;
  readonly value: string;
  readonly line: number;
}

const personal = ['username', 'ldap', 'id', 'email'];

/** The id of an artifact in an archive. */
function archivedId(file: string, artifact: XmlElement): number {
  const id = Number(attributeOf(artifact, 'id') ?? Number.NaN);
  if (!Number.isSafeInteger(id))
    throw archiveFault(file, artifact.line, 'An artifact needs an id, a whole number.');
  return id;
}

/** The short name of a type of links, which is a name wherever it comes from. */
export function checkedLinkType(file: string, line: number, shortname: string): string {
  if (/^[a-zA-Z0-9_]{1,255}$/.test(shortname)) return shortname;
  const words = `${JSON.stringify(shortname.slice(0, 100))} cannot be a type of links.`;
  throw archiveFault(file, line, words);
}

/** What must be known of all artifacts of an archive before the first of them is written. */
export class ArtifactSurvey {
  /** Ids of the artifacts in the archive, by the place of their tracker in it. */
  readonly ids: number[][] = [];
  /** The types of links that artifacts have, each with the line on which it is first named. */
  readonly linkTypes = new Map<string, number>();
  readonly #people = new Map<string, NamedPerson>();
  #count = 0;
  readonly #file: string;
  readonly #mostPeople: number;

  constructor(file = 'project.xml', mostPeople = Number.POSITIVE_INFINITY) {
    this.#file = file;
    this.#mostPeople = mostPeople;
  }

  get count(): number {
    return this.#count;
  }

  /** Everybody who is named, each once. */
  get people(): NamedPerson[] {
    return [...this.#people.values()];
  }

  /** Looks at one artifact; one without history is none. */
  add(place: number, artifact: XmlElement): void {
    const changesets = childrenOf(artifact, 'changeset');
    if (changesets.length === 0) return;
    const ids = this.ids[place] ?? [];
    // Some archives give an id twice: both are artifacts, and links lead to the later one.
    ids.push(archivedId(this.#file, artifact));
    this.#count++;
    this.ids[place] = ids;
    for (const changeset of changesets) this.#look(changeset);
  }

  #look(changeset: XmlElement): void {
    this.#lookAtAuthor(changeset);
    for (const comment of listedIn(changeset, 'comments', 'comment')) this.#lookAtAuthor(comment);
    for (const change of childrenOf(changeset, 'field_change')) this.#lookAtChange(change);
  }

  #lookAtAuthor(element: XmlElement): void {
    const author = childOf(element, 'submitted_by');
    if (author !== undefined) this.#note(author);
    else if (element.name === 'changeset')
      throw archiveFault(this.#file, element.line, 'The changeset does not say who made it.');
    const date = textOf(element, 'submitted_on');
    const isComment = element.name === 'comment';
    if (parseInstant(date) === undefined && !(isComment && date.trim() === ''))
      throw archiveFault(
        this.#file,
        childOf(element, 'submitted_on')?.line ?? element.line,
        `${JSON.stringify(date.slice(0, 50))} is no date.`,
      );
  }

  #lookAtChange(change: XmlElement): void {
    const values = childrenOf(change, 'value');
    if (attributeOf(change, 'bind') === 'users')
      for (const value of values) if (!/^b\d+$/.test(value.text.trim())) this.#note(value);
    if (attributeOf(change, 'type') === 'art_link')
      for (const value of values) {
        const type = attributeOf(value, 'nature')?.trim() ?? '';
        if (type === '' || this.linkTypes.has(type)) continue;
        this.linkTypes.set(checkedLinkType(this.#file, value.line, type), value.line);
      }
  }

  /** People whom lists of a tracker have as defaults. */
  addTracker(tracker: XmlElement): void {
    if (tracker.name === 'default_values') for (const value of tracker.children) this.#note(value);
    for (const child of tracker.children) this.addTracker(child);
  }

  #note(reference: XmlElement): void {
    const format = attributeOf(reference, 'format') ?? '';
    const value = reference.text.trim();
    if (!personal.includes(format) || value === '') return;
    const key = `${format} ${value}`;
    if (this.#people.has(key)) return;
    if (this.#people.size === this.#mostPeople)
      throw archiveFault(this.#file, reference.line, `It names more than ${this.#mostPeople} people.`);
    this.#people.set(key, { format, value, line: reference.line });
  }
}
