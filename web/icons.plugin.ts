import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Plugin } from 'vite';
import { iconNames } from './src/ui/icons/names.ts';

const MODULE = 'virtual:icons';
const RESOLVED = `\0${MODULE}`;
const DEVELOPMENT_ADDRESS = '/@icons.svg';

type IconSet = { icons: Record<string, { body: string }>; aliases?: Record<string, { parent: string }> };

/** One sprite of the outlines that are used, by name: nothing of the set lies in our sources. */
export function icons(): Plugin {
  let serving = false;
  return {
    name: 'atelier-icons',
    configResolved(config) {
      serving = config.command === 'serve';
    },
    configureServer(server) {
      server.middlewares.use(DEVELOPMENT_ADDRESS, (_request, response) => {
        response.setHeader('content-type', 'image/svg+xml').end(sprite());
      });
    },
    resolveId: (id) => (id === MODULE ? RESOLVED : undefined),
    load(id) {
      if (id !== RESOLVED) return undefined;
      if (serving) return `export default ${JSON.stringify(DEVELOPMENT_ADDRESS)};`;
      const reference = this.emitFile({ type: 'asset', name: 'icons.svg', source: sprite() });
      return `export default import.meta.ROLLUP_FILE_URL_${reference};`;
    },
  };
}

function sprite(): string {
  const file = createRequire(import.meta.url).resolve('@iconify-json/tabler/icons.json');
  const set: IconSet = JSON.parse(readFileSync(file, 'utf8'));
  const symbols = iconNames.map((name) => {
    const icon = set.icons[name] ?? set.icons[set.aliases?.[name]?.parent ?? ''];
    if (icon === undefined) throw new Error(`Tabler has no icon "${name}".`);
    // The width of lines is set where an icon stands: it differs with size.
    const body = icon.body.replaceAll(' stroke-width="2"', '');
    return `<symbol id="icon-${name}" viewBox="0 0 24 24">${body}</symbol>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" width="0" height="0">${symbols.join('')}</svg>`;
}
