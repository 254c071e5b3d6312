import type { Plugin } from 'vite';

/** Words inside controls, in a file for each of 34 languages: `react-aria/dist/intl/…/de-DE.mjs`. */
const words = /\/react-(?:aria|stately)\/.*\/([a-z]{2}-[A-Z]{2})\.mjs$/;
const spoken = ['en-US', 'fr-FR'];

/** The library of controls brings its words in more languages than we speak; they would be a tenth of what every page loads first. */
export function spokenLanguages(): Plugin {
  return {
    name: 'spoken-languages',
    load: {
      filter: { id: words },
      handler(id) {
        const language = words.exec(id)?.[1] ?? '';
        return spoken.includes(language) ? null : 'export default {};';
      },
    },
  };
}
