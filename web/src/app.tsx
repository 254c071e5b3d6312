import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { RouterProvider as LinksProvider } from 'react-aria-components';
import { languageOf, loadLanguage, MessagesProvider } from './messages/index.ts';
import { router } from './routes.ts';
import { queries, usePreference } from './store/index.ts';

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

const follow = (address: string) => router.history.push(address);

function Spoken({ first }: { readonly first: Spoken }) {
  return (
    <MessagesProvider spoken={useSpoken(first)}>
      <LinksProvider navigate={follow}>
        <RouterProvider router={router} />
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
