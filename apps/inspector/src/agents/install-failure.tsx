import { SandboxAgentError } from "@sandbox-agent-ts/sdk";
import { Notice } from "../controls/notice.tsx";
import { messageOf } from "../controls/use-action.ts";

interface InstallFailureProps {
  readonly name: string;
  readonly failure: unknown;
}

/** Why an installation failed, and what can be done about it. */
export function InstallFailure({ name, failure }: InstallFailureProps) {
  const said = stderrOf(failure);
  return (
    <Notice title={`${name} could not be installed.`} role="alert">
      <p>{messageOf(failure)}</p>
      {said !== undefined && <pre className="install-stderr">{said}</pre>}
      <p>
        Then install it again. Or put its program on the daemon’s <code>PATH</code> and reload this page.
      </p>
    </Notice>
  );
}

/** What the program itself said, when it was there and did not run. */
function stderrOf(failure: unknown): string | undefined {
  const details = failure instanceof SandboxAgentError ? failure.problem?.details : undefined;
  const { stderr } = (details ?? {}) as { stderr?: unknown };
  return typeof stderr === "string" && stderr !== "" ? stderr : undefined;
}
