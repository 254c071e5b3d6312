// Stacks lead to the sources of a bundle. Node's own support reads every line of the code for it when that is loaded: a tenth of a start, in
// every thread, for stacks that hardly anybody ever sees. Here a map is read when a stack names its file.
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The maps that were read, by the file they belong to. */
const maps = new Map();

function mapOf(file) {
  if (!maps.has(file)) maps.set(file, new module.SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))));
  return maps.get(file);
}

/** Where it stands in the sources; what the bundler itself has added stands nowhere. */
function origin(place, url, line, column) {
  const file = fileURLToPath(url);
  const { originalSource, originalLine, originalColumn } = mapOf(file).findEntry(line - 1, column - 1);
  if (originalSource === undefined) return place;
  return `${resolve(dirname(file), originalSource)}:${originalLine + 1}:${originalColumn + 1}`;
}

/** `bundle`: the address of the bundle that is run; undefined where there is none. */
export function followSourceMaps(bundle) {
  if (bundle === undefined) return;
  const places = new RegExp(`(${RegExp.escape(bundle)}/[^\\s():]+\\.js):(\\d+):(\\d+)`, 'g');
  const { prepareStackTrace } = Error;
  Error.prepareStackTrace = (error, sites) => {
    const stack = prepareStackTrace(error, sites);
    try {
      return stack.replace(places, origin);
    } catch {
      // Another bundle has taken its place, and the maps are gone: better this stack than another fault.
      return stack;
    }
  };
}
