import type { Project } from '@atelier/client/routes';
import { useState } from 'react';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { useAbout } from '../store/index.ts';
import { Checkbox, CheckboxGroup, Radio, RadioGroup, Switch } from '../ui/index.ts';
import {
  changeDelegation,
  isOwnGroup,
  type ProjectSettings,
  saveProjectSettings,
  useGroups,
  useProjectSettings,
} from './calls.ts';
import { AdminPart, Confirm, FaultLine, Row, Section, useSending } from './parts.tsx';

type AccessLevel = ProjectSettings['access'];
const levels: readonly AccessLevel[] = ['public', 'unrestricted', 'private', 'private-wo-restr'];
const isLevel = (text: string): text is AccessLevel => levels.some((level) => level === text);

function Visibility({
  project,
  settings,
}: {
  readonly project: Project;
  readonly settings: ProjectSettings;
}) {
  const { access } = useMessages().projectAdmin;
  const mode = useAbout()?.access_mode ?? 'anonymous';
  const [wanted, setWanted] = useState<AccessLevel>();
  const { faults, send } = useSending();
  const offered =
    mode === 'restricted'
      ? levels
      : levels.filter((level) => level === 'public' || level === 'private' || level === settings.access);
  const seen = (level: AccessLevel) => access.seenBy[level](mode);
  return (
    <Section name={access.visibility}>
      <RadioGroup
        aria-label={access.visibility}
        value={settings.access}
        onChange={(level) => isLevel(level) && level !== settings.access && setWanted(level)}
      >
        {offered.map((level) => (
          <Radio key={level} value={level} help={seen(level)}>
            {access.levels[level]}
          </Radio>
        ))}
      </RadioGroup>
      <FaultLine words={faults.elsewhere()} />
      {wanted !== undefined && (
        <Confirm
          title={access.changeTitle(access.levels[wanted])}
          confirm={access.change}
          isDanger={wanted === 'public' || wanted === 'unrestricted'}
          run={async () => {
            const before = settings.access;
            if (await send(() => saveProjectSettings(project.uri, { access: wanted })))
              notify({
                text: access.changed(access.levels[wanted]),
                undo: () => void saveProjectSettings(project.uri, { access: before }).catch(tellFault),
              });
          }}
          onClose={() => setWanted(undefined)}
        >
          <p>{seen(wanted)}</p>
        </Confirm>
      )}
    </Section>
  );
}

/** Who sees a project, and who decides who is in it. */
export function Access({ project }: { readonly project: Project }) {
  const { access } = useMessages().projectAdmin;
  const asked = useProjectSettings(project.uri);
  const { data } = asked;
  const groups = useGroups(project.uri).data?.filter(isOwnGroup) ?? [];
  const store = (changes: Parameters<typeof saveProjectSettings>[1], before: typeof changes) =>
    saveProjectSettings(project.uri, changes).then(
      () =>
        notify({
          text: access.saved,
          undo: () => void saveProjectSettings(project.uri, before).catch(tellFault),
        }),
      tellFault,
    );
  const undoDelegation = (ids: readonly string[]) =>
    void changeDelegation(project.uri, ids, data?.membership_delegation ?? []).catch(tellFault);
  return (
    <AdminPart title={access.title} words={access.words}>
      <WaitingPlace asked={asked} lines={6} />
      {data !== undefined && (
        <>
          <Visibility project={project} settings={data} />
          <Section name={access.people}>
            <Row name={access.synchronised} words={access.synchronisedWords}>
              <Switch
                aria-label={access.synchronised}
                isSelected={data.has_synchronised_membership}
                onChange={(is) =>
                  store({ has_synchronised_membership: is }, { has_synchronised_membership: !is })
                }
              />
            </Row>
            <Row name={access.truncated} words={access.truncatedWords}>
              <Switch
                aria-label={access.truncated}
                isSelected={data.has_truncated_mails}
                onChange={(is) => store({ has_truncated_mails: is }, { has_truncated_mails: !is })}
              />
            </Row>
          </Section>
          <Section name={access.delegation} words={access.delegationWords}>
            {groups.length === 0 ? (
              <p>{access.noGroups}</p>
            ) : (
              <CheckboxGroup
                aria-label={access.delegation}
                value={data.membership_delegation}
                onChange={(ids) =>
                  void changeDelegation(project.uri, data.membership_delegation, ids).then(
                    () => notify({ text: access.saved, undo: () => undoDelegation(ids) }),
                    tellFault,
                  )
                }
              >
                {groups.map(({ id, label }) => (
                  <Checkbox key={id} value={id}>
                    {label}
                  </Checkbox>
                ))}
              </CheckboxGroup>
            )}
          </Section>
        </>
      )}
    </AdminPart>
  );
}
