/** What `/metrics` tells: each number by its name with labels, as Prometheus reads it. */
export class MetricsText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  static async of({ url }: { readonly url: string }): Promise<MetricsText> {
    return new MetricsText(await (await fetch(`${url}/metrics`)).text());
  }

  /** The sum of all numbers of a metric that have these labels. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number {
    return this.samples(name)
      .filter((sample) => Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      .reduce((sum, { value }) => sum + value, 0);
  }

  samples(name: string): { readonly labels: Readonly<Record<string, string>>; readonly value: number }[] {
    const lines = this.text.matchAll(/^([a-z_]+)(?:\{(.*)\})? (\S+)$/gm);
    return [...lines]
      .filter(([, own]) => own === name)
      .map(([, , labels = '', value]) => ({ labels: labelsIn(labels), value: Number(value) }));
  }

  /** Every metric there is: its type, and the labels of its numbers. */
  families(): { readonly name: string; readonly type: string; readonly labels: readonly string[] }[] {
    return [...this.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => {
      const suffixes = { histogram: '_count', summary: '_count' }[type] ?? '';
      const labels = this.samples(`${name}${suffixes}`).flatMap((sample) => Object.keys(sample.labels));
      return { name, type, labels: [...new Set(labels)].sort() };
    });
  }
}

const labelsIn = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
