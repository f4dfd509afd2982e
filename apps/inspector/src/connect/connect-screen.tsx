import { useState } from "react";
import { Button } from "../controls/button.tsx";
import { Field } from "../controls/field.tsx";
import { Logo } from "../shell/logo.tsx";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { StartHelp, TroubleHelp } from "./connect-help.tsx";
import { type Target, targetFromFields } from "./target.ts";
import type { ConnectionState } from "./use-connection.ts";
import "./connect-screen.css";

interface ConnectScreenProps {
  readonly state: Exclude<ConnectionState, { type: "connected" }>;
  readonly onConnect: (target: Target) => Promise<void>;
}

export function ConnectScreen({ state, onConnect }: ConnectScreenProps) {
  const { target } = state;
  const [url, setUrl] = useState(target.url);
  const [token, setToken] = useState(target.token);
  const [isUrlWrong, setUrlWrong] = useState(false);
  const trouble = state.type === "asking" ? state.trouble : undefined;

  const submit = () => {
    const wanted = targetFromFields(url, token);
    setUrlWrong(wanted === undefined);
    if (wanted === undefined) return;
    setUrl(wanted.url);
    setToken(wanted.token);
    void onConnect(wanted);
  };

  return (
    <main className="connect">
      <div className="connect-top">
        <ThemeToggle />
      </div>
      <div className="connect-card">
        <header className="connect-header">
          <Logo size={36} />
          <div>
            <h1>Sandbox Agent</h1>
            <p>Connect to a daemon or a runtime to see and drive its sessions.</p>
          </div>
        </header>
        <form
          className="connect-form"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field
            label="Endpoint"
            error={isUrlWrong ? "This is no address. It looks like http://127.0.0.1:2468." : undefined}
          >
            {(ids) => (
              <input
                {...ids}
                className="input input-code"
                value={url}
                onChange={(event) => setUrl(event.target.value)}
                placeholder="http://127.0.0.1:2468"
                inputMode="url"
                autoComplete="url"
                spellCheck={false}
              />
            )}
          </Field>
          <Field
            label="Token"
            hint="Printed when the server starts; the whole link will do. Leave empty if it runs without one."
          >
            {(ids) => (
              <input
                {...ids}
                className="input input-code"
                type="password"
                value={token}
                onChange={(event) => setToken(event.target.value)}
                autoComplete="current-password"
                spellCheck={false}
              />
            )}
          </Field>
          <Button look="primary" type="submit" busy={state.type === "connecting"}>
            {state.type === "connecting" ? "Connecting" : "Connect"}
          </Button>
        </form>
        <div className="connect-help" aria-live="polite">
          {trouble ? <TroubleHelp trouble={trouble} target={target} /> : <StartHelp />}
        </div>
      </div>
    </main>
  );
}
