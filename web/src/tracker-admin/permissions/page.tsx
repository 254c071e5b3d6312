import type { Tracker } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../../messages/index.ts';
import { LeaveGuard, notify, Problem } from '../../shell/index.ts';
import { wordsOfError } from '../../store/index.ts';
import { Checkbox, Icon, Segmented, Skeleton, Unseen } from '../../ui/index.ts';
import { type FieldSettings, type MinimalUserGroup, useFormElements, useGroups } from '../calls.ts';
import { setTrackerGrant, storeMarks, type TrackerGrants, useTrackerPermissions } from './calls.ts';
import { FieldMatrix } from './matrix.tsx';
import { type Marks, marksOf, onlyChanges } from './model.ts';
import styles from './permissions.module.css';
import { PersonCheck } from './person.tsx';
import { SaveBar } from './save-bar.tsx';

const parts = ['fields', 'tracker'] as const;

/** `permissions`: who sees what, and who may do what. */
export function PermissionsPage({ tracker }: { readonly tracker: Tracker }) {
  const { permissions: words } = useMessages().trackerAdmin;
  const [part, setPart] = useState<(typeof parts)[number]>('fields');
  const { data: elements, error, refetch } = useFormElements(tracker.id);
  const { data: groups } = useGroups(tracker.project.id);
  if (elements === undefined && error !== null)
    return <Problem error={error} askAgain={() => void refetch()} />;
  return (
    <div className={styles['page']}>
      <div className={styles['toolbar']}>
        <Segmented
          label={words.parts}
          options={parts.map((id) => ({ id, name: words.partNames[id] }))}
          value={part}
          onChange={(id) => setPart(id === 'tracker' ? 'tracker' : 'fields')}
        />
        {part === 'fields' && <Legend />}
      </div>
      {elements === undefined || groups === undefined ? (
        <Skeleton lines={8} className={styles['coming'] ?? ''} />
      ) : (
        <div className={styles['middle']}>
          {part === 'fields' ? (
            <Fields tracker={tracker} elements={elements} groups={groups} />
          ) : (
            <TrackerPart tracker={tracker} groups={groups} />
          )}
          <PersonCheck tracker={tracker} elements={elements} />
        </div>
      )}
    </div>
  );
}

function Legend() {
  const { permissions: words } = useMessages().trackerAdmin;
  return (
    <p className={styles['legend']}>
      <span>
        <Icon name="eye" size={14} /> {words.rights.read}
      </span>
      <span>
        <Icon name="plus" size={14} /> {words.rights.submit}
      </span>
      <span>
        <Icon name="pencil" size={14} /> {words.rights.update}
      </span>
      <span className={styles['implied']}>{words.implied}</span>
    </p>
  );
}

interface FieldsProps {
  readonly tracker: Tracker;
  readonly elements: readonly FieldSettings[];
  readonly groups: readonly MinimalUserGroup[];
}

function Fields({ tracker, elements, groups }: FieldsProps) {
  const { permissions: words } = useMessages().trackerAdmin;
  const stored = marksOf(elements);
  const [wished, setWished] = useState<Marks>(new Map());
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const changes = onlyChanges(stored, wished);
  const save = async () => {
    setBusy(true);
    try {
      await storeMarks(tracker.id, changes);
      setWished(new Map());
      setFault(undefined);
      notify({ text: words.stored });
    } catch (error) {
      setFault(wordsOfError(error));
    }
    setBusy(false);
  };
  const fields = elements.filter(
    ({ is_used: isUsed, is_removed: isRemoved, permissions_for_groups: grants }) =>
      isUsed && !isRemoved && grants !== null,
  );
  return (
    <div className={styles['matrixPart']}>
      <LeaveGuard isNeeded={changes.size > 0} />
      <FieldMatrix
        fields={fields}
        groups={groups}
        stored={stored}
        changes={changes}
        onChange={(more) => setWished(new Map([...wished, ...more]))}
      />
      {changes.size > 0 && (
        <SaveBar
          fields={fields}
          groups={groups}
          changes={changes}
          isBusy={isBusy}
          fault={fault}
          onDiscard={() => {
            setWished(new Map());
            setFault(undefined);
          }}
          onSave={() => void save()}
        />
      )}
    </div>
  );
}

const grants: readonly (keyof TrackerGrants)[] = [
  'can_access',
  'can_access_submitted_by_user',
  'can_access_assigned_to_group',
  'can_access_submitted_by_group',
  'can_admin',
];

/** Which artifacts whom, in words. */
function TrackerPart({
  tracker,
  groups,
}: {
  readonly tracker: Tracker;
  readonly groups: readonly MinimalUserGroup[];
}) {
  const { permissions: words } = useMessages().trackerAdmin;
  const { data, error, refetch } = useTrackerPermissions(tracker.id);
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={8} className={styles['coming'] ?? ''} />
    ) : (
      <Problem error={error} askAgain={() => void refetch()} />
    );
  const set = (right: keyof TrackerGrants, groupId: string, isGiven: boolean) =>
    void setTrackerGrant(tracker.id, right, groupId, isGiven).catch((fault: unknown) =>
      notify({ text: wordsOfError(fault), kind: 'bad' }),
    );
  return (
    <div className={styles['matrixPart']}>
      <div className={styles['scroll']}>
        <table className={styles['table']}>
          <thead>
            <tr>
              <th scope="col">{words.group}</th>
              {grants.map((right) => (
                <th key={right} scope="col">
                  {words.grants[right]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {groups.map(({ id, label }) => (
              <tr key={id}>
                <th scope="row">{label}</th>
                {grants.map((right) => (
                  <td key={right}>
                    <Checkbox
                      aria-label={`${label}: ${words.grants[right]}`}
                      isSelected={data[right].some((group) => group.id === id)}
                      onChange={(isGiven) => set(right, id, isGiven)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles['second']}>{words.always}</p>
      <Unseen>{words.atOnce}</Unseen>
    </div>
  );
}
