/** Where this process keeps its compiled code, for those of ours that it starts; the binary decides whether there is such a place. */
import module from 'node:module';
import path from 'node:path';

/** One folder, or none. */
export function compiledFolder(): readonly string[] {
  // Node adds a folder for its version.
  const own = module.getCompileCacheDir();
  return own === undefined ? [] : [path.dirname(own)];
}
