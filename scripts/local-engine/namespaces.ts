/**
 * Linux namespaces for what the engine starts: mounts that nobody else sees, and a process tree that
 * ends as a whole when its first process does.
 */

/** True where files of a root directory can belong to several users without a user namespace. */
export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * The command prefix that runs a program as first process of namespaces of its own. The program dies
 * with `unshare`; somebody who isn't root becomes it inside, with the ids of /etc/subuid.
 */
export function namespaced(): string[] {
  const own = isRoot() ? [] : ['--user', '--map-root-user', '--map-auto'];
  return ['unshare', ...own, '--mount', '--pid', '--fork', '--kill-child'];
}

/** The same, and `unshare` dies with the process that starts it. */
export function namespacedForMyLifetime(): string[] {
  return ['setpriv', '--pdeathsig', 'KILL', ...namespaced()];
}
