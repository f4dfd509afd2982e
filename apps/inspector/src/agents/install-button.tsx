import { Button } from "../controls/button.tsx";
import { InstallFailure } from "./install-failure.tsx";
import { useInstall } from "./use-install.ts";
import "./install-button.css";

export function InstallButton({ agent, name }: { agent: string; name: string }) {
  const { install, isInstalling, seconds, failure } = useInstall(agent);
  return (
    <div className="install">
      {failure !== undefined && <InstallFailure name={name} failure={failure} />}
      <Button icon="download" busy={isInstalling} onClick={install}>
        {isInstalling ? `Installing ${name}, ${seconds} s` : `Install ${name}`}
      </Button>
      {isInstalling && <div className="install-progress" role="progressbar" aria-label={`Installing ${name}`} />}
    </div>
  );
}
