import type { ExtractedReference, Project } from '@atelier/client/routes';
import { useState } from 'react';
import { pageOf } from '../kernel/addresses.ts';
import { useMessages } from '../messages/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { Button, TextArea } from '../ui/index.ts';
import { findReferences, useReferenceWords } from './calls.ts';
import { AdminPart, FaultLine, Form, Main, Section, Table, useSending } from './parts.tsx';

function TryText({ project }: { readonly project: Project }) {
  const { references } = useMessages().projectAdmin;
  const [text, setText] = useState('');
  const [found, setFound] = useState<readonly ExtractedReference[]>();
  const { isBusy, faults, send } = useSending();
  const submit = () => void send(async () => setFound(await findReferences(project.uri, text)));
  return (
    <>
      <Form isOff={isBusy} onSubmit={submit}>
        <TextArea label={references.text} value={text} onChange={setText} placeholder={references.example} />
        <FaultLine words={faults.elsewhere()} />
        <Button type="submit" isBusy={isBusy}>
          {references.tryIt}
        </Button>
      </Form>
      <div role="status">
        {found !== undefined && (
          <>
            <p>{references.found(found.length)}</p>
            <ul>
              {found.map((one) => (
                <li key={`${one.text} ${one.link}`}>
                  <a href={pageOf(window.location.origin, one.link)}>{one.text}</a>
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </>
  );
}

/** The words by which texts of the project point to things, and a place to try them. */
export function References({ project }: { readonly project: Project }) {
  const { references } = useMessages().projectAdmin;
  const asked = useReferenceWords(project.uri);
  const { data } = asked;
  return (
    <AdminPart title={references.title} words={references.words}>
      <Section name={references.tryTitle} words={references.tryWords}>
        <TryText project={project} />
      </Section>
      <Section name={references.list}>
        <WaitingPlace asked={asked} lines={5} />
        {data !== undefined && (
          <Table label={references.list} columns={[references.word, references.leadsTo]}>
            {data.map(({ keyword, description }) => (
              <tr key={keyword}>
                <td>
                  <Main>{`${keyword} #42`}</Main>
                </td>
                <td data-label={references.leadsTo}>{description}</td>
              </tr>
            ))}
          </Table>
        )}
      </Section>
    </AdminPart>
  );
}
