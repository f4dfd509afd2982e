import type { Transcript } from "@sandbox-agent-ts/protocol";
import type { UseSession } from "@sandbox-agent-ts/react";
import { useState } from "react";
import { useAgentName } from "../agents/use-agent-name.ts";
import { Menu } from "../controls/menu.tsx";
import { NameDialog } from "../controls/name-dialog.tsx";
import { StatusBadge } from "../controls/status-badge.tsx";
import { addCosts, describeUsage, formatCost, formatUsage } from "../format/numbers.ts";
import { formatRoute, type SessionTab } from "../route/route.ts";
import { DeleteSessionDialog, EndSessionDialog } from "./end-dialogs.tsx";
import { sandboxWords } from "./sandbox-words.ts";
import { SessionDetailsDialog } from "./session-details-dialog.tsx";
import { sessionName } from "./session-name.ts";
import "./session-header.css";

interface SessionHeaderProps {
  readonly sessionId: string;
  readonly session: UseSession;
  readonly transcript: Transcript;
  readonly tab: SessionTab;
}

const tabs: readonly { tab: SessionTab; name: string }[] = [
  { tab: "conversation", name: "Conversation" },
  { tab: "events", name: "Events" },
  { tab: "files", name: "Files" },
];

const LONGEST_TITLE = 500;

type OpenDialog = "rename" | "details" | "end" | "delete" | null;

export function SessionHeader({ sessionId, session, transcript, tab }: SessionHeaderProps) {
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const info = session.session;
  const nameOfAgent = useAgentName();
  const isEnded = session.status === "ended";
  const close = () => setDialog(null);
  return (
    <header className="session-header">
      <div className="session-header-top">
        <div className="session-header-names">
          <h1 className="truncate">{sessionName({ sessionId, title: info?.title })}</h1>
          <p className="truncate" title={info?.directory ?? undefined}>
            {info ? factsOf(info, nameOfAgent(info.agent)) : "\u00a0"}
          </p>
        </div>
        <Totals transcript={transcript} />
        {isLost(session.connection) ? (
          <LostBadge connection={session.connection} />
        ) : (
          <StatusBadge status={session.status} />
        )}
        <Menu
          label="Session menu"
          items={[
            { label: "Rename", icon: "edit", onSelect: () => setDialog("rename") },
            { label: "Details", icon: "info", onSelect: () => setDialog("details") },
            { label: "End session", icon: "stop", isDisabled: isEnded, onSelect: () => setDialog("end") },
            { label: "Delete", icon: "trash", isDanger: true, onSelect: () => setDialog("delete") },
          ]}
        />
      </div>
      <nav className="session-tabs" aria-label="Session">
        {tabs.map(({ tab: target, name }) => (
          <a
            key={target}
            href={formatRoute({ page: "session", sessionId, tab: target })}
            aria-current={tab === target ? "page" : undefined}
          >
            {name}
          </a>
        ))}
      </nav>
      {dialog === "rename" && (
        <NameDialog
          title="Rename session"
          label="Title"
          verb="Rename"
          name={info?.title ?? ""}
          maxLength={LONGEST_TITLE}
          onName={session.rename}
          onClose={close}
        />
      )}
      {dialog === "details" && info && <SessionDetailsDialog session={info} onClose={close} />}
      {dialog === "end" && <EndSessionDialog onEnd={session.terminate} onClose={close} />}
      {dialog === "delete" && <DeleteSessionDialog onDelete={session.remove} onClose={close} />}
    </header>
  );
}

function factsOf(info: NonNullable<UseSession["session"]>, agent: string): string {
  const { agentMode, permissionMode, model, variant } = info;
  const directory = info.directory?.split("/").at(-1);
  const mode =
    permissionMode === "default" || permissionMode === agentMode ? agentMode : `${agentMode}, ${permissionMode}`;
  const models = model && [model, variant].filter(Boolean).join(" ");
  return [agent, mode, models, directory, sandboxWords(info.runtime)].filter(Boolean).join(" · ");
}

function Totals({ transcript: { usage, turns } }: { transcript: Transcript }) {
  const costs = addCosts(turns.flatMap(({ cost }) => cost ?? []));
  if (!usage && costs.length === 0) return null;
  return (
    <p className="session-totals" title={usage ? `All turns: ${describeUsage(usage)}` : undefined}>
      {usage && <span>{formatUsage(usage)}</span>}
      {costs.map((cost) => (
        <span key={cost.currency}>{formatCost(cost)}</span>
      ))}
    </p>
  );
}

function isLost(connection: UseSession["connection"]): boolean {
  return connection !== "connecting" && connection !== "live";
}

const lostWords: Partial<Record<UseSession["connection"], string>> = { refused: "Token refused" };

function LostBadge({ connection }: { connection: UseSession["connection"] }) {
  return (
    <span className="status-badge status-waiting" role="status">
      {connection === "reconnecting" ? (
        <>
          <span className="spinner" aria-hidden="true" /> Reconnecting
        </>
      ) : (
        (lostWords[connection] ?? "Disconnected")
      )}
    </span>
  );
}
