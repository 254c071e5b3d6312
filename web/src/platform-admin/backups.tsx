import { useFormats, useMessages } from '../messages/index.ts';
import { AdminPart, CopyLine, Row, Section } from '../project-admin/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { BackupNow } from './backup-now.tsx';
import { useHealth } from './calls.ts';
import { NeedsHand } from './health.tsx';
import styles from './platform-admin.module.css';

const day = 24 * 60 * 60 * 1000;

/** When the last backup was made, and how the next one is. */
export function Backups() {
  const { backups } = useMessages().platformAdmin;
  const formats = useFormats();
  const asked = useHealth();
  const { data } = asked;
  if (data === undefined)
    return (
      <AdminPart title={backups.title} words={backups.words}>
        <WaitingPlace asked={asked} lines={6} />
      </AdminPart>
    );
  const last = data.last_backup;
  const findings = data.checks.filter(
    ({ name, state }) => state !== 'ok' && (name === 'backup' || name === 'backup folder'),
  );
  const age = last === null ? 0 : Math.floor((Date.parse(data.checked_on) - Date.parse(last.made_on)) / day);
  const steps = Object.entries(backups.commands);
  return (
    <AdminPart title={backups.title} words={backups.words}>
      {findings.map((check) => (
        <NeedsHand key={check.name} check={check} />
      ))}
      {last !== null && (
        <Section name={backups.last}>
          <Row name={backups.madeOn}>{formats.moment(last.made_on)}</Row>
          <Row name={backups.age}>{backups.days(age)}</Row>
          <Row name={backups.place}>
            <code>{last.place}</code>
          </Row>
          <Row name={backups.size}>{formats.size(last.bytes)}</Row>
        </Section>
      )}
      <BackupNow />
      <Section name={backups.how} words={backups.howWords}>
        {steps.map(([command, words]) => (
          <div key={command} className={styles['command']}>
            <p>{words}</p>
            <CopyLine text={command} label={words} />
          </div>
        ))}
      </Section>
    </AdminPart>
  );
}
