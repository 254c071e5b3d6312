import { Page } from '../shell/index.ts';
import { useStanding } from '../store/index.ts';

export function HomePage() {
  const { memberships } = useStanding();
  return (
    <Page title="My work" crumbs={[{ name: 'My work' }]}>
      <ul>
        {memberships.map(({ project }) => (
          <li key={project.id}>{project.label}</li>
        ))}
      </ul>
    </Page>
  );
}
