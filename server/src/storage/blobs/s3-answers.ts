import { SaxesParser } from 'saxes';

interface Element {
  readonly name: string;
  readonly text: string;
}

/** The elements of an answer in the order of their ends, so that one that has others in it comes after them. */
function elementsOf(xml: string): Element[] {
  const elements: Element[] = [];
  let text = '';
  const parser = new SaxesParser();
  parser.on('opentag', () => {
    text = '';
  });
  parser.on('text', (part) => {
    text += part;
  });
  parser.on('closetag', ({ name }) => {
    elements.push({ name, text });
    text = '';
  });
  parser.write(xml).close();
  return elements;
}

export interface StoredObject {
  readonly key: string;
  readonly size: number;
  readonly storedAt: number;
}

export interface ObjectPage {
  readonly objects: readonly StoredObject[];
  /** What to ask for the next page with; undefined after the last. */
  readonly next: string | undefined;
}

/** Reads the answer to ListObjectsV2. */
export function readObjectPage(xml: string): ObjectPage {
  const objects: StoredObject[] = [];
  const latest = new Map<string, string>();
  for (const { name, text } of elementsOf(xml)) {
    latest.set(name, text);
    if (name !== 'Contents') continue;
    const [key = '', size, storedAt] = ['Key', 'Size', 'LastModified'].map((part) => latest.get(part));
    objects.push({ key, size: Number(size), storedAt: Date.parse(storedAt ?? '') });
  }
  const isLast = latest.get('IsTruncated') !== 'true';
  return { objects, next: isLast ? undefined : latest.get('NextContinuationToken') };
}

/** What the store names the fault; empty when it does not say. */
export function readFaultCode(xml: string): string {
  try {
    return elementsOf(xml).find(({ name }) => name === 'Code')?.text ?? '';
  } catch {
    return '';
  }
}
