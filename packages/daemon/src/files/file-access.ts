/**
 * Which part of the disk the filesystem API may touch.
 *
 * Asked anew for every request, because sessions come and go; both methods must be cheap and synchronous. Whoever
 * implements it decides what is allowed; `jail.ts` alone decides whether a path keeps to it.
 */
export interface FileAccess {
  /**
   * The allowed directories: absolute **real** paths, `realpath` taken once, when the root was added (at start for
   * `--fs-root`, at create for a session's directory). Not resolved again here: a session's agent could replace its own
   * directory by a symlink to anywhere, and would then have moved the jail. A path that is not real admits nothing.
   *
   * The first one is the daemon's root. None of them, nor a directory that holds one, can be deleted, moved or replaced.
   */
  roots(): readonly string[];

  /**
   * Where relative paths start: the session's directory, or the first root without a session. May contain symlinks; what
   * it leads to has to be inside a root like any other path. Throws `session_not_found` for an unknown session.
   */
  base(sessionId: string | undefined): string;

  /** Called with the path of each temporary file before it is made; what it answers is called when the file is gone. */
  noteTemporary?(path: string): Promise<() => Promise<void>>;
}

/** What a client points at. */
export interface FileTarget {
  readonly path: string;
  readonly sessionId?: string | undefined;
}
