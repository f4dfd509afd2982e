import { useAgents, useSandboxAgent } from "@sandbox-agent-ts/react";
import type { AgentInstallProgress } from "@sandbox-agent-ts/sdk";
import { useEffect, useState } from "react";
import { useAction } from "../controls/use-action.ts";

interface UseInstall {
  readonly install: () => void;
  readonly isInstalling: boolean;
  /** How long it has been going on. */
  readonly seconds: number;
  /** What it does right now, once the daemon has said so. */
  readonly progress: AgentInstallProgress | undefined;
  /** What went wrong, if anything did. */
  readonly failure: unknown;
}

const TICK_MS = 1_000;

/** Install an agent's program. */
export function useInstall(agent: string): UseInstall {
  const client = useSandboxAgent();
  const { refresh } = useAgents();
  const { run, isBusy, failure } = useAction();
  const [seconds, setSeconds] = useState(0);
  const [progress, setProgress] = useState<AgentInstallProgress>();
  useEffect(() => {
    if (!isBusy) return undefined;
    setSeconds(0);
    const timer = setInterval(() => setSeconds((now) => now + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isBusy]);
  const install = () =>
    run(async () => {
      setProgress(undefined);
      await client.installAgent(agent, {}, { onProgress: setProgress });
      await refresh();
    });
  return { install, isInstalling: isBusy, seconds, progress, failure };
}
