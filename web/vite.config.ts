import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';
import { filesAhead } from './ahead.plugin.ts';
import { docs } from './docs.plugin.ts';
import { icons } from './icons.plugin.ts';
import { spokenLanguages } from './languages.plugin.ts';
import { layers } from './layers.plugin.ts';
import { licences } from './licences.plugin.ts';
import { overlays } from './overlays.plugin.ts';
import { contractDigest, slimRoutes } from './routes.plugin.ts';

/** Of `web/src/`. What is shared by pages that come later would be a file for each pair of them: these are one each. */
const sharedParts = [
  // What every page stands in, and what every list of artifacts needs to know of fields; how values are changed comes later.
  {
    name: 'pages',
    test: /\/web\/src\/(shell\/(page|part|waiting-place|bar|people|deed|followed-list|change-openers)\.(tsx?|module\.css)|ui\/(marks|overlays|text)\/(face|key|dialog|popover|relative-time)\.tsx|ui\/controls\/(filter-chip\.tsx|search-field\.tsx|field\.module\.css|tabs\.module\.css)|store\/faults\.ts|fields\/(?!bulk|changed-by-other|days|elements|queries|rules|text-files)[\w-]+\.(tsx?|module\.css)|kernel\/(filters|platform-pages|quoted)\.ts)$/,
  },
  // The table, and the bar above every view of a tracker.
  {
    name: 'rows',
    test: /\/web\/src\/(tracker\/(?!cell-editor|save-cell|chips-and-query|nothing|print|query-box|query-help|other-view|index|cards|row-dialogs)[\w-]+\.(tsx?|module\.css)|kernel\/(panel-width|scaled-rows|sections)\.ts)$/,
  },
  // Lists and tabs, which nearly every page has.
  {
    name: 'lists',
    test: /\/node_modules\/(react-aria|react-stately|react-aria-components)\/dist\/private\/((collections|selection|focus|tabs|list|toolbar|utils)\/|button\/useToggle|toggle\/useToggle(Group)?State|i18n\/useCollator|interactions\/useLongPress|(Collection|Tabs|SharedElementTransition|SelectionIndicator|ToggleButton|ToggleButtonGroup)\.)|\/node_modules\/use-sync-external-store\/|\/web\/src\/ui\/controls\/tabs\.tsx$/,
  },
  // Long lists, of which only what is seen is drawn.
  { name: 'scrolling', test: /\/node_modules\/@tanstack\/(react-virtual|virtual-core)\// },
  // What tells of changes by others, as soon as a page is shown.
  { name: 'live', test: /\/web\/src\/(store\/(live-stream|live-refresh|leader|people)|kernel\/people)\.ts$/ },
  // What values are changed with, and what opens above a page.
  {
    name: 'controls',
    test: /\/node_modules\/(react-aria|react-stately|react-aria-components|@internationalized|@tanstack)\/|\/web\/src\/(ui\/(controls|overlays|marks|states)\/|ui\/text\/(html-editor|markdown-editor|editor\.module|text-diff|relative-time)|fields\/|kernel\/|store\/|shell\/leave-guard)/,
  },
  // What every page can open: the palette, the drawer, the tour.
  { name: 'frame', test: /\/web\/src\/shell\/(?!sign-in|studio|countdown)/ },
  { name: 'sign-in', test: /\/web\/src\/shell\/(sign-in|studio|countdown)/ },
  {
    name: 'artifact',
    test: /\/web\/src\/artifact\/(?!index|move-dialog|edit-all|delete-dialog|comment-versions)/,
  },
].map((part) => ({ ...part, includeDependenciesRecursively: false }));

/** Named by modules that every page begins with, and used by others alone. */
const laterRoutes = {
  name: 'routes',
  test: /atelier-later-routes$/,
  priority: 2,
  includeDependenciesRecursively: false,
};

/** What is asked for together with a part that needs it; all else of a part follows it, and does not stand in what every page begins with. */
const isAskedAlong = (file: string) =>
  /\.css$|^assets\/(pages|rows|lists|scrolling|controls|frame|artifact|creation|tracker|home)-/.test(file);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [docs(), filesAhead(), icons(), layers(), licences(), overlays(), slimRoutes(), spokenLanguages()],
  // What a browser keeps of answers is good as long as they have the same shape.
  define: { __ATELIER_CONTRACT__: JSON.stringify(contractDigest()) },
  // Packages of this repository are used from their sources.
  resolve: {
    conditions: ['atelier-source', ...defaultClientConditions],
    // What makes a hook for versions of React that had none.
    alias: [
      {
        find: 'use-sync-external-store/shim/with-selector',
        replacement: 'use-sync-external-store/with-selector',
      },
    ],
  },
  css: { transformer: 'lightningcss' },
  build: {
    target: 'es2024',
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, dependencies) => dependencies.filter(isAskedAlong),
    },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What every page begins with is one file. Else each thing that it shares with a part that comes later would be one of its own.
            { name: 'index', tags: ['$initial'], priority: 1 },
            laterRoutes,
            ...sharedParts,
          ],
        },
      },
    },
  },
});
