import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { icons } from './icons.plugin.ts';
import { spokenLanguages } from './languages.plugin.ts';
import { layers } from './layers.plugin.ts';
import { contractDigest, slimRoutes } from './routes.plugin.ts';

const knowledgeOfFields =
  /\/web\/src\/(fields\/(?!days|queries|text-files)[\w-]+\.(tsx?|module\.css)|kernel\/(filters|quoted)\.ts)$/;

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [icons(), layers(), slimRoutes(), spokenLanguages()],
  // What a browser keeps of answers is good as long as they have the same shape.
  define: { __ATELIER_CONTRACT__: JSON.stringify(contractDigest()) },
  // Packages of this repository are used from their sources.
  resolve: { conditions: ['atelier-source', ...defaultClientConditions] },
  css: { transformer: 'lightningcss' },
  // The server puts a fresh one in its place with every document.
  html: { cspNonce: 'NONCE' },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page begins with is one file. Else each thing that it shares with a part that comes later would be one of its own.
            { name: 'index', tags: ['$initial'], priority: 1 },
            // What every list of artifacts needs to know of fields, for the same reason; how values are changed comes later.
            { name: 'fields', test: knowledgeOfFields, includeDependenciesRecursively: false },
          ],
        },
      },
    },
  },
});
