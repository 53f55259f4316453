/** The folder for what is built or downloaded once a machine. */
import os from 'node:os';
import path from 'node:path';

/** Follows the XDG convention, which wants relative values ignored. */
export function cacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env['XDG_CACHE_HOME'];
  const base =
    configured !== undefined && path.isAbsolute(configured)
      ? configured
      : path.join(os.homedir(), '.cache');
  return path.join(base, 'stockroom');
}
