import type { Plugin } from 'vite';

const order = '@layer tokens, base, ui, looks;\n';

/**
 * Says the order of the layers in every style sheet that has one. Which of them arrives first depends on how the build cuts the application
 * into parts, and the first one to name a layer decides its place.
 */
export function layers(): Plugin {
  return {
    name: 'atelier-layers',
    enforce: 'pre',
    transform: (code, id) =>
      id.split('?')[0]?.endsWith('.css') && /@layer|composes:/.test(code) ? `${order}${code}` : undefined,
  };
}
