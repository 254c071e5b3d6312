import type { Project } from '@atelier/client/routes';
import { useMessages } from '../messages/index.ts';
import { WaitingPlace } from '../shell/index.ts';
import { LinkButton, Note } from '../ui/index.ts';
import { useArchives } from './calls.ts';
import { AdminPart, Row } from './parts.tsx';

/** The project as a file, to be kept or brought in elsewhere. */
export function Archive({ project }: { readonly project: Project }) {
  const { archive } = useMessages().projectAdmin;
  const asked = useArchives(project.uri);
  const { data } = asked;
  return (
    <AdminPart title={archive.title} words={archive.words}>
      <WaitingPlace asked={asked} lines={3} />
      {data?.map(({ mode, download_href: href }) => (
        <Row key={mode} name={archive.modes[mode]} words={archive.modeWords[mode]}>
          <LinkButton
            href={href}
            icon="download"
            download
            aria-label={archive.downloadNamed(archive.modes[mode])}
          >
            {archive.download}
          </LinkButton>
        </Row>
      ))}
      <Note meaning="info">
        {data?.length === 1 && archive.onlyStructure} {archive.leftOut}
      </Note>
    </AdminPart>
  );
}
