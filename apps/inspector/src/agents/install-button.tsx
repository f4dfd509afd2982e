import { Button } from "../controls/button.tsx";
import { InstallFailure } from "./install-failure.tsx";
import { InstallProgress } from "./install-progress.tsx";
import { useInstall } from "./use-install.ts";
import "./install-button.css";

export function InstallButton({ agent, name }: { agent: string; name: string }) {
  const { install, isInstalling, seconds, progress, failure } = useInstall(agent);
  return (
    <div className="install">
      {failure !== undefined && <InstallFailure name={name} failure={failure} />}
      <Button icon="download" busy={isInstalling} onClick={install}>
        {isInstalling ? `Installing ${name}, ${seconds} s` : `Install ${name}`}
      </Button>
      {isInstalling && <InstallProgress name={name} progress={progress} />}
    </div>
  );
}
