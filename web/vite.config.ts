import { fileURLToPath } from 'node:url';
import { defaultClientConditions, defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Packages of this repository are used from their sources.
  resolve: { conditions: ['atelier-source', ...defaultClientConditions] },
  css: { transformer: 'lightningcss' },
  build: { target: 'es2024', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
});
