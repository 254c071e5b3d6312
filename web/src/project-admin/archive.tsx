import type { Project } from '@atelier/client/routes';
import { useMessages } from '../messages/index.ts';
import { wordsOfError } from '../store/index.ts';
import { ErrorPlace, LinkButton, Note, Skeleton } from '../ui/index.ts';
import { useArchives } from './calls.ts';
import { AdminPart, Row } from './parts.tsx';

/** The project as a file, to be kept or brought in elsewhere. */
export function Archive({ project }: { readonly project: Project }) {
  const { archive } = useMessages().projectAdmin;
  const { data, error, refetch } = useArchives(project.uri);
  return (
    <AdminPart title={archive.title} words={archive.words}>
      {data === undefined &&
        (error === null ? (
          <Skeleton lines={3} />
        ) : (
          <ErrorPlace words={wordsOfError(error)} onRetry={() => void refetch()} />
        ))}
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
      {data?.length === 1 && <Note meaning="info">{archive.onlyStructure}</Note>}
      <Note meaning="info">{archive.leftOut}</Note>
    </AdminPart>
  );
}
