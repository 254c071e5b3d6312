import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';

/** The room that most pages below the first part of an address are in. */
const roomAt: Readonly<Record<string, string>> = {
  '': 'home',
  account: 'account',
  admin: 'platform-admin',
  artifacts: 'artifact',
  dashboards: 'dashboards',
  help: 'help',
  inbox: 'inbox',
  projects: 'projects',
  query: 'queries',
  search: 'search',
  svn: 'svn',
  trackers: 'tracker',
  users: 'people',
};

type Bundle = Rolldown.OutputBundle;

/** A chunk with all that it needs, style sheets too. */
function filesOf(bundle: Bundle, file: string, found: Set<string>): Set<string> {
  const chunk = bundle[file];
  if (found.has(file) || chunk?.type !== 'chunk') return found;
  found.add(file);
  for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(css);
  for (const needed of chunk.imports) filesOf(bundle, needed, found);
  return found;
}

/**
 * Writes down which files the page at an address begins with. The server names them in the document: else the browser would learn of them
 * only when the first script has arrived and run.
 */
export function filesAhead(): Plugin {
  return {
    name: 'atelier-files-ahead',
    apply: 'build',
    writeBundle({ dir = '' }, bundle) {
      const chunks = Object.values(bundle).filter((output) => output.type === 'chunk');
      const ahead = (module: string) => {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/web/src/${module}`));
        if (chunk === undefined) throw new Error(`No part of the application begins with ${module}.`);
        return [...filesOf(bundle, chunk.fileName, new Set())];
      };
      const places = Object.entries(roomAt).map(([place, room]) => [place, ahead(`${room}/index.ts`)]);
      const languages = ['en', 'fr'].map((language) => [language, ahead(`messages/${language}.ts`)]);
      const content = { places: Object.fromEntries(places), languages: Object.fromEntries(languages) };
      writeFileSync(join(dir, 'ahead.json'), JSON.stringify(content));
    },
  };
}
