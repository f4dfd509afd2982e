/** A process group that we created, identified by its leader's pid. */
export interface ProcessGroup {
  readonly id: number;
  /** Does it still exist, and is it still ours? */
  isHeld(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** To be called in the moment the leader was reaped. */
  leaderExited(): void;
}

/**
 * The number of a group cannot be given to another process while the leader is not reaped or the group has a member. So
 * once the group was seen empty it is never looked at, nor signalled, again.
 */
export function createProcessGroup(id: number): ProcessGroup {
  let leaderRuns = true;
  let seenEmpty = false;
  const isHeld = () => {
    if (!leaderRuns && !seenEmpty) seenEmpty = !exists(id);
    return !seenEmpty;
  };
  return {
    id,
    isHeld,
    signal(signal) {
      if (!isHeld()) return;
      try {
        process.kill(-id, signal);
      } catch {
        // Its last member left since we looked, or is not ours to signal.
      }
    },
    leaderExited() {
      leaderRuns = false;
      isHeld();
    },
  };
}

function exists(id: number): boolean {
  try {
    process.kill(-id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}
