import { Suspense } from 'react';
import { later } from '../ui/index.ts';

/** Nobody who looks at rows needs it. */
const importing = later(() => import('./csv/import-page.tsx'));

/** A table that becomes artifacts. */
export function ImportPage() {
  return (
    <Suspense fallback={null}>
      <LoadedPage />
    </Suspense>
  );
}

function LoadedPage() {
  const { ImportTablePage } = importing.use();
  return <ImportTablePage />;
}
