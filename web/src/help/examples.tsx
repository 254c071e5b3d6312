import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { quoted } from '../kernel/quoted.ts';
import { useMessages } from '../messages/index.ts';
import { useProjectTrackers } from '../shell/index.ts';
import { useStanding, useTracker } from '../store/index.ts';
import { LinkButton, Select } from '../ui/index.ts';
import styles from './help.module.css';

/** The name of the field that means something in a tracker, where one does. */
const nameOf = (tracker: Tracker, id: number | undefined) =>
  tracker.fields.find(({ field_id }) => field_id === id)?.name;

/** Values of a list have labels; the people of another one do not need to be named here. */
const labelIn = (value: unknown): string[] =>
  typeof value === 'object' && value !== null && 'label' in value && typeof value.label === 'string'
    ? [value.label]
    : [];

/** Queries that this tracker answers, whatever its form. */
function queriesOf(tracker: Tracker): readonly string[] {
  const { title, status, contributor } = tracker.semantics;
  const [titleName, statusName, assigneeName] = [title, status, contributor].map((meaning) =>
    nameOf(tracker, meaning?.field_id),
  );
  const field = tracker.fields.find(({ name }) => name === statusName);
  const values: readonly unknown[] = Array.isArray(field?.values) ? field.values : [];
  const labels = values.flatMap(labelIn).slice(0, 2);
  return [
    ...(titleName === undefined ? [] : [`${titleName} = "light"`]),
    ...(statusName === undefined || labels.length === 0
      ? []
      : [`${statusName} IN (${labels.map(quoted).join(', ')})`]),
    ...(assigneeName === undefined ? [] : [`${assigneeName} = MYSELF()`, `${assigneeName} = ""`]),
    '@comments = "the"',
    'WITHOUT PARENT AND (IS LINKED TO OR IS LINKED FROM)',
  ];
}

function Queries({ id }: { readonly id: number }) {
  const { help } = useMessages();
  const { thing: tracker } = useTracker(`trackers/${id}`);
  if (tracker === undefined) return null;
  return (
    <ul className={styles['queries']}>
      {queriesOf(tracker).map((query) => (
        <li key={query}>
          <code>{query}</code>
          <LinkButton
            size="small"
            href={`/trackers/${id}?q=${encodeURIComponent(query)}`}
            aria-label={`${help.run}: ${query}`}
          >
            {help.run}
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}

/** Examples that run, in a tracker of one's own projects. */
export function Examples() {
  const { help } = useMessages();
  const { memberships } = useStanding();
  const [project, setProject] = useState(memberships[0]?.project.uri);
  const trackers = useProjectTrackers(project);
  const [chosen, choose] = useState<number>();
  const tracker = trackers.find(({ id }) => id === chosen) ?? trackers[0];
  if (project === undefined) return null;
  return (
    <section className={styles['examples']} aria-label={help.tryIt}>
      <h2 className={styles['heading']}>{help.tryIt}</h2>
      <p className={styles['faint']}>{help.tryItWords}</p>
      <div className={styles['choices']}>
        <Select
          label={help.project}
          options={memberships.map(({ project: one }) => ({ id: one.uri, name: one.label_without_icon }))}
          value={project}
          onChange={(uri) => setProject(uri ?? project)}
        />
        <Select
          label={help.tracker}
          options={trackers.map(({ id, label }) => ({ id: String(id), name: label }))}
          value={tracker === undefined ? null : String(tracker.id)}
          onChange={(id) => choose(id === null ? undefined : Number(id))}
        />
      </div>
      {tracker !== undefined && <Queries id={tracker.id} />}
    </section>
  );
}
