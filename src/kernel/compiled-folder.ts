/** Where this process caches compiled code, for the Shakedown processes that it starts; the binary decides. */
import module from 'node:module';
import path from 'node:path';

/** Empty when nothing is cached. */
export function compiledFolder(): readonly string[] {
  // Node appends a folder for its version.
  const own = module.getCompileCacheDir();
  return own === undefined ? [] : [path.dirname(own)];
}
