import type { PermissionReply } from "@sandbox-agent-ts/protocol";
import type { PendingPermission } from "@sandbox-agent-ts/react";
import { type KeyboardEvent, useId } from "react";
import { Button } from "../controls/button.tsx";
import { Icon } from "../controls/icon.tsx";
import { useAction } from "../controls/use-action.ts";
import { WhatWillHappen } from "./what-will-happen.tsx";

interface PermissionCardProps {
  readonly permission: PendingPermission;
  readonly onReply: (reply: PermissionReply) => Promise<void>;
}

const keys: Readonly<Record<string, PermissionReply>> = { y: "once", a: "always", n: "reject" };

/** May the agent do this? Shown with what it is, down to the command or the diff. */
export function PermissionCard({ permission, onReply }: PermissionCardProps) {
  const { run, isBusy, error } = useAction();
  const titleId = useId();
  const reply = (answer: PermissionReply) => run(() => onReply(answer));
  const onKeyDown = (event: KeyboardEvent) => {
    const answer = keys[event.key.toLowerCase()];
    if (answer === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    reply(answer);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the place its keys work from
    <section className="request-card" data-request tabIndex={0} aria-labelledby={titleId} onKeyDown={onKeyDown}>
      <div className="request-head">
        <Icon name="lock" />
        <div>
          <h2 id={titleId}>{permission.action}</h2>
          <p>The agent asks for permission and waits.</p>
        </div>
      </div>
      <WhatWillHappen permission={permission} />
      <div className="request-actions">
        <Button look="primary" disabled={isBusy} onClick={() => reply("once")}>
          Allow once <kbd>Y</kbd>
        </Button>
        <Button disabled={isBusy} onClick={() => reply("always")}>
          Always allow <kbd>A</kbd>
        </Button>
        <Button look="danger" disabled={isBusy} onClick={() => reply("reject")}>
          Reject <kbd>N</kbd>
        </Button>
      </div>
      <p className="request-note">
        <b>Always</b> covers the same use of the same tool for the rest of this session, nothing wider. <b>Reject</b>{" "}
        tells the agent no; it goes on without.
      </p>
      {error && (
        <p className="request-error" role="alert">
          {error}
        </p>
      )}
    </section>
  );
}
