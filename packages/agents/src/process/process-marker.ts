/**
 * The environment variable every supervised process carries, and with it everything it starts: `<owner>:<run>.<n>`.
 * `owner` is the data directory, `run` this life of the daemon, `n` the spawn. It finds what left the process group, and
 * what a killed daemon had started but not yet recorded.
 */
export const processMarkerVariable = "SANDBOX_AGENT_PROCESS";

export interface ProcessMarkers {
  next(): string;
  /** Carried by a process of this owner from an earlier life of the daemon. */
  isEarlier(marker: string | null): boolean;
  /** Carried by a process of this life of the daemon. */
  isCurrent(marker: string | null): boolean;
}

export function createProcessMarkers(owner: string, run: string): ProcessMarkers {
  const ownerPrefix = `${owner}:`;
  const runPrefix = `${ownerPrefix}${run}.`;
  let count = 0;
  const isCurrent = (marker: string | null) => marker?.startsWith(runPrefix) ?? false;
  return {
    next: () => `${runPrefix}${++count}`,
    isEarlier: (marker) => (marker?.startsWith(ownerPrefix) ?? false) && !isCurrent(marker),
    isCurrent,
  };
}

/** The marker in the text of a `/proc/<pid>/environ`. */
export function findMarker(environ: string): string | null {
  const name = `\0${processMarkerVariable}=`;
  const at = `\0${environ}`.indexOf(name);
  if (at === -1) return null;
  const start = at + name.length - 1;
  const end = environ.indexOf("\0", start);
  return environ.slice(start, end === -1 ? undefined : end);
}
