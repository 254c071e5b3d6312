import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { icons } from './icons.plugin.ts';
import { spokenLanguages } from './languages.plugin.ts';
import { layers } from './layers.plugin.ts';
import { contractDigest, slimRoutes } from './routes.plugin.ts';

/** Of `web/src/`. What is shared by pages that come later would be a file for each pair of them: these are one each. */
const sharedParts = [
  // What every page stands in.
  {
    name: 'pages',
    test: /\/web\/src\/(shell\/(page|bar|people|followed-list)|ui\/(marks|overlays)\/(face|key|dialog|popover|relative-time)|ui\/controls\/filter-chip|store\/faults)\.tsx?$/,
  },
  // What every list of artifacts needs to know of fields; how values are changed comes later.
  {
    name: 'fields',
    test: /\/web\/src\/(fields\/(?!days|queries|text-files)[\w-]+\.(tsx?|module\.css)|kernel\/(filters|quoted)\.ts)$/,
  },
  // Rows, and the bar above every view of a tracker.
  {
    name: 'rows',
    test: /\/web\/src\/(tracker\/(?!cell-editor|chips-and-query|name-dialog|print|query-box|query-help|other-view|index|page|table\.tsx|row|cards|head|selection)[\w-]+\.(tsx?|module\.css)|kernel\/sections\.ts)$/,
  },
].map((part) => ({ ...part, includeDependenciesRecursively: false }));

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
            ...sharedParts,
          ],
        },
      },
    },
  },
});
