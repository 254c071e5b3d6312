// Lets Node keep what V8 compiles of modules when it loads them, for the next start.
import module from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `bundle`: the address of the bundle that is run, beside which the compiled code lies; undefined where there is none. */
export function keepCompiled(bundle, kind) {
  const folder = bundle && join(fileURLToPath(bundle), 'compiled', kind);
  const { status } = module.enableCompileCache(folder);
  // Where the code lies nothing may be written: then in the temporary folder.
  if (status === module.constants.compileCacheStatus.FAILED) module.enableCompileCache();
}
