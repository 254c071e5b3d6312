import { useState } from 'react';
import { useFormats, useMessages } from '../messages/index.ts';
import {
  AdminPart,
  Buttons,
  Faint,
  FaultLine,
  Form,
  Main,
  PagedPlace,
  Section,
  Table,
  useSending,
} from '../project-admin/index.ts';
import { notify, tellFault } from '../shell/index.ts';
import { useAbout, useStanding } from '../store/index.ts';
import { Button, Note, TextField } from '../ui/index.ts';
import { forgetMail, retryMail, tryMail, useFailedMails } from './calls.ts';
import { useAdminRights } from './rights.ts';

function TestMail({ hasMail }: { readonly hasMail: boolean }) {
  const { mail } = useMessages().platformAdmin;
  const { user } = useStanding();
  const [address, setAddress] = useState(user?.email ?? '');
  const [told, setTold] = useState<{ readonly isAccepted: boolean; readonly answer: string }>();
  const { isBusy, faults, send } = useSending();
  const submit = () =>
    void send(async () => {
      setTold(undefined);
      const { accepted, answer } = await tryMail(address.trim());
      setTold({ isAccepted: accepted, answer });
    });
  return (
    <Form isOff={isBusy || !hasMail} onSubmit={submit}>
      <TextField
        label={mail.address}
        type="email"
        value={address}
        onChange={setAddress}
        fault={faults.at('address')}
      />
      <Button type="submit" icon="send" isBusy={isBusy} reasonNot={hasMail ? null : mail.noServer}>
        {mail.send}
      </Button>
      {told !== undefined && (
        <Note meaning={told.isAccepted ? 'good' : 'bad'} isAlert>
          {told.isAccepted ? mail.accepted : mail.refused} <span lang="en">{told.answer}</span>
        </Note>
      )}
      <FaultLine words={faults.elsewhere('address')} />
    </Form>
  );
}

/** Mails that were given up, and whether mails leave. */
export function Mail() {
  const { mail } = useMessages().platformAdmin;
  const formats = useFormats();
  const hasMail = useAbout()?.has_mail ?? true;
  const { mayChange } = useAdminRights();
  const list = useFailedMails();
  return (
    <AdminPart title={mail.title} words={mail.words}>
      {!hasMail && <Note meaning="care">{mail.noServer}</Note>}
      {mayChange && (
        <Section name={mail.test} words={mail.testWords}>
          <TestMail hasMail={hasMail} />
        </Section>
      )}
      <Section name={mail.failed} words={mail.failedWords}>
        <PagedPlace list={list} icon="mail" empty={mail.none} emptyWords={mail.noneWords}>
          {(items) => (
            <Table label={mail.failed} columns={[mail.to, mail.fault, mail.since, '']}>
              {items.map((one) => {
                const to = one.address ?? mail.account(one.user_id ?? 0);
                return (
                  <tr key={one.id}>
                    <td>
                      <Main second={mail.kinds[one.kind] ?? one.kind}>{to}</Main>
                    </td>
                    <td data-label={mail.fault}>
                      <span lang="en">{one.fault}</span> <Faint>{mail.attempts(one.attempts)}</Faint>
                    </td>
                    <td data-label={mail.since}>
                      <Faint>{formats.moment(one.creation_date)}</Faint>
                    </td>
                    <td>
                      {mayChange && (
                        <Buttons>
                          <Button
                            size="small"
                            aria-label={mail.retryNamed(to)}
                            onPress={() =>
                              retryMail(one.id).then(() => notify({ text: mail.retried }), tellFault)
                            }
                          >
                            {mail.retry}
                          </Button>
                          <Button
                            size="small"
                            kind="quiet"
                            aria-label={mail.forgetNamed(to)}
                            onPress={() => forgetMail(one.id).catch(tellFault)}
                          >
                            {mail.forget}
                          </Button>
                        </Buttons>
                      )}
                    </td>
                  </tr>
                );
              })}
            </Table>
          )}
        </PagedPlace>
      </Section>
    </AdminPart>
  );
}
