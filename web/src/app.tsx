import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { RouterProvider as LinksProvider } from 'react-aria-components';
import { languageOf, loadAllWords, loadLanguage, MessagesProvider } from './messages/index.ts';
import { router } from './routes.ts';
import { useIsCreationAsked } from './shell/index.ts';
import { queries, usePreference } from './store/index.ts';
import { HeldKeys, later, loadControls } from './ui/index.ts';

type Spoken = Awaited<ReturnType<typeof loadLanguage>>;

/** The language of the person, also when they choose another one. */
function useSpoken(first: Spoken): Spoken {
  const [spoken, setSpoken] = useState(first);
  const [wish] = usePreference('web.language');
  const language = languageOf(wish, navigator.languages);
  useEffect(() => {
    if (language !== spoken.language) void loadLanguage(language).then(setSpoken);
  }, [language, spoken.language]);
  return spoken;
}

const creation = later(
  async () => (await Promise.all([import('./creation/index.ts'), loadControls(), loadAllWords()]))[0],
);

function Creation() {
  const { CreationHost } = creation.use();
  return <CreationHost />;
}

/** Something can be created on every page; how is loaded after what is seen. */
function WithCreation({ children }: { readonly children: ReactNode }) {
  return (
    <>
      {children}
      <Suspense fallback={<HeldKeys />}>{useIsCreationAsked() && <Creation />}</Suspense>
    </>
  );
}

const follow = (address: string) => router.history.push(address);

function Spoken({ first }: { readonly first: Spoken }) {
  return (
    <MessagesProvider spoken={useSpoken(first)}>
      <LinksProvider navigate={follow}>
        <RouterProvider router={router} InnerWrap={WithCreation} />
      </LinksProvider>
    </MessagesProvider>
  );
}

export function App({ spoken }: { readonly spoken: Spoken }) {
  return (
    <QueryClientProvider client={queries}>
      <Spoken first={spoken} />
    </QueryClientProvider>
  );
}
