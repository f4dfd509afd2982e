import type { AgentInstallProgress } from "@sandbox-agent-ts/sdk";
import { formatBytes } from "../format/numbers.ts";

interface InstallProgressProps {
  readonly name: string;
  readonly progress: AgentInstallProgress | undefined;
}

const steps: Readonly<Record<AgentInstallProgress["step"], string>> = {
  wait: "Waiting for another installation of",
  registry: "Looking for",
  resolve: "Looking for",
  download: "Downloading",
  unpack: "Unpacking",
  verify: "Trying out",
  store: "Storing",
};

/** What an installation does; how far it is where bytes are counted. */
export function InstallProgress({ name, progress }: InstallProgressProps) {
  const { bytes, total } = progress ?? {};
  const isCounted = bytes != null && total != null && total > 0;
  const percent = isCounted ? Math.min(100, Math.floor((100 * bytes) / total)) : undefined;
  return (
    <>
      <div
        className={isCounted ? "install-progress install-progress-counted" : "install-progress"}
        role="progressbar"
        aria-label={`Installing ${name}`}
        aria-valuenow={percent}
      >
        {isCounted && <div className="install-progress-done" style={{ width: `${percent}%` }} />}
      </div>
      {progress && (
        <p className="install-step">
          {`${steps[progress.step]} ${progress.program} ${progress.version}`}
          {isCounted && ` · ${formatBytes(bytes)} of ${formatBytes(total)}`}
        </p>
      )}
    </>
  );
}
