import { useAgents, useSandboxAgent, useSessions } from "@sandbox-agent-ts/react";
import { useState } from "react";
import { agentName } from "../agents/agent-name.ts";
import { InstallButton } from "../agents/install-button.tsx";
import { Button } from "../controls/button.tsx";
import { Dialog } from "../controls/dialog.tsx";
import { Disclosure } from "../controls/disclosure.tsx";
import { Notice } from "../controls/notice.tsx";
import { useAction } from "../controls/use-action.ts";
import { navigate } from "../route/use-route.ts";
import { AdvancedFields } from "./advanced-fields.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { ModeFields } from "./mode-fields.tsx";
import { checkForm, emptyForm, type FormErrors, type SessionForm } from "./session-form.ts";
import { useAgentOptions } from "./use-agent-options.ts";
import "./new-session-dialog.css";

export function NewSessionDialog({ onClose }: { onClose: () => void }) {
  const client = useSandboxAgent();
  const { agents, isLoading, error: agentsError } = useAgents();
  const { refresh } = useSessions();
  const [form, setForm] = useState<SessionForm>(emptyForm);
  const [errors, setErrors] = useState<FormErrors>({});
  const { run, isBusy, error } = useAction();
  const first = agents.find(({ installed, credentialsAvailable }) => installed && credentialsAvailable) ?? agents[0];
  const agent = agents.find(({ id }) => id === form.agent) ?? first;
  const options = useAgentOptions(agent?.installed ? agent.id : undefined);

  const change = (fields: Partial<SessionForm>) => setForm((now) => ({ ...now, ...fields }));
  const choose = (id: string) => change({ agent: id, agentMode: "", model: "", variant: "" });

  const submit = () => {
    const checked = checkForm({ ...form, agent: agent?.id ?? "" });
    setErrors(checked.ok ? {} : checked.errors);
    if (!checked.ok) return;
    const sessionId = form.sessionId.trim() || `session-${crypto.randomUUID().slice(0, 8)}`;
    run(async () => {
      const { healthy, error: problem } = await client.createSession(sessionId, checked.request);
      if (!healthy) throw new Error(problem?.message ?? "The agent could not be started.");
      await refresh();
      onClose();
      navigate({ page: "session", sessionId, tab: "conversation" });
    });
  };

  return (
    <Dialog
      title="New session"
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          {error && (
            <p className="new-session-error" role="alert">
              {error}
            </p>
          )}
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" busy={isBusy} disabled={!agent}>
            {isBusy ? "Creating" : "Create session"}
          </Button>
        </>
      }
    >
      <div className="new-session">
        {agentsError && <Notice title={agentsError.message} />}
        {isLoading && agents.length === 0 && <p>Asking the daemon for its agents …</p>}
        <AgentChoice agents={agents} selected={agent?.id} onSelect={choose} />
        {agent && !agent.installed && (
          <Notice look="wait" title={`${agentName(agent)} is not installed yet.`}>
            <p>Creating the session installs it. Or do it now, to see its modes and models:</p>
            <InstallButton agent={agent.id} name={agentName(agent)} />
          </Notice>
        )}
        {agent?.installed && !agent.credentialsAvailable && (
          <Notice look="wait" title={`${agentName(agent)} has no credentials here.`}>
            <p>Sign in with its own program in the sandbox, or give its key below, under Environment.</p>
          </Notice>
        )}
        <ModeFields form={form} options={options} onChange={change} />
        <Disclosure className="new-session-more" summary="More: tools, skills, environment …">
          {() => <AdvancedFields form={form} errors={errors} onChange={change} />}
        </Disclosure>
        {Object.keys(errors).length > 0 && <Notice title="Some fields need another look." role="alert" />}
      </div>
    </Dialog>
  );
}
