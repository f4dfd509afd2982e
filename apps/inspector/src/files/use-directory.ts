import type { FsEntry } from "@sandbox-agent-ts/protocol";
import { useSandboxAgent } from "@sandbox-agent-ts/react";
import { useCallback, useEffect, useState } from "react";
import { messageOf } from "../controls/use-action.ts";

interface Directory {
  readonly entries: readonly FsEntry[];
  readonly isLoading: boolean;
  readonly error: string | undefined;
  readonly refresh: () => Promise<void>;
}

/** What is in a directory: folders first, then by name. */
export function useDirectory(sessionId: string, path: string): Directory {
  const client = useSandboxAgent();
  const [entries, setEntries] = useState<readonly FsEntry[]>([]);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<string>();
  const refresh = useCallback(async () => {
    setLoading(true);
    try {
      const listed = await client.listFsEntries({ sessionId, ...(path === "" ? {} : { path }) });
      setEntries(listed.toSorted(byKindAndName));
      setError(undefined);
    } catch (failure) {
      setEntries([]);
      setError(messageOf(failure));
    }
    setLoading(false);
  }, [client, sessionId, path]);
  useEffect(() => void refresh(), [refresh]);
  return { entries, isLoading, error, refresh };
}

function byKindAndName(a: FsEntry, b: FsEntry): number {
  if (a.entryType !== b.entryType) return a.entryType === "directory" ? -1 : 1;
  return a.name.localeCompare(b.name);
}
