import { useFormats, useMessages } from '../../messages/index.ts';
import { Icon } from '../../ui/index.ts';
import type { FieldUse } from '../calls.ts';
import styles from './form.module.css';

/** Why an element cannot go, always, not only after one tried. */
export function Uses({ use }: { readonly use: FieldUse | undefined }) {
  const { trackerAdmin } = useMessages();
  const { uses: words } = trackerAdmin.form;
  const formats = useFormats();
  if (use === undefined) return null;
  const semantics = use.semantics.map((name) => trackerAdmin.semanticNames[name] ?? name);
  const reasons = [
    ...(semantics.length > 0 ? [words.semantic(formats.list(semantics))] : []),
    ...use.workflow.map((way) => words[way]),
    ...use.rules.map((kind) => words[kind]),
    ...use.triggers.map((way) => (way === 'set' ? words.triggerSet : words.triggerWatched)),
  ];
  const isStuck = use.obstacle !== null;
  const why = reasons.length > 0 ? formats.list(reasons) : words.content;
  return (
    <p className={styles['hint']}>
      <Icon name="puzzle" />
      <span>
        {isStuck ? `${words.cannotGo} ${why}.` : words.canGo}
        {use.reports > 0 && ` ${words.reports(use.reports)}`} {words.artifacts(use.artifact_count)}
      </span>
    </p>
  );
}
