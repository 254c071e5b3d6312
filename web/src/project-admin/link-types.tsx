import type { Project } from '@atelier/client/routes';
import { useMessages } from '../messages/index.ts';
import { notify, tellFault, WaitingPlace } from '../shell/index.ts';
import { Switch } from '../ui/index.ts';
import { switchLinkType, useLinkTypes } from './calls.ts';
import { AdminPart, Row } from './parts.tsx';

/** Which types of links a project uses. */
export function LinkTypes({ project }: { readonly project: Project }) {
  const { links } = useMessages().projectAdmin;
  const asked = useLinkTypes(project.uri);
  const { data } = asked;
  const change = (shortname: string, isOn: boolean) =>
    switchLinkType(project.uri, shortname, isOn).then(() => notify({ text: links.saved }), tellFault);
  return (
    <AdminPart title={links.title} words={links.words}>
      <WaitingPlace asked={asked} lines={5} />
      {data?.map(({ shortname, forward_label: forward, reverse_label: reverse, isOn }) => (
        <Row key={shortname} name={forward} words={`${reverse} · ${shortname}`}>
          <Switch
            aria-label={links.isUsed(forward)}
            isSelected={isOn}
            onChange={(is) => change(shortname, is)}
          >
            {isOn ? links.on : links.off}
          </Switch>
        </Row>
      ))}
    </AdminPart>
  );
}
