import { useSessions } from "@sandbox-agent-ts/react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Button } from "../controls/button.tsx";
import { WaitingBar } from "../requests/waiting-bar.tsx";
import { useRoute } from "../route/use-route.ts";
import { SessionPage } from "../sessions/session-page.tsx";
import { Home } from "./home.tsx";
import { ShortcutsDialog } from "./shortcuts-dialog.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useShortcuts } from "./use-shortcuts.ts";
import "./shell.css";

const AgentsPage = lazy(() => import("../agents/agents-page.tsx").then((it) => ({ default: it.AgentsPage })));
const RequestLogPage = lazy(() =>
  import("../request-log/request-log-page.tsx").then((it) => ({ default: it.RequestLogPage })),
);
const NewSessionDialog = lazy(() =>
  import("../new-session/new-session-dialog.tsx").then((it) => ({ default: it.NewSessionDialog })),
);

interface ShellProps {
  readonly version: string;
  /** What concerns the whole page. */
  readonly notice?: ReactNode;
  readonly onDisconnect: () => void;
}

/** The list of sessions on the left, what was chosen on the right. On small screens the list slides over it. */
export function Shell({ version, notice, onDisconnect }: ShellProps) {
  const route = useRoute();
  const [isMenuOpen, setMenuOpen] = useState(false);
  const [dialog, setDialog] = useState<"new-session" | "shortcuts" | null>(null);
  const selected = route.page === "session" ? route.sessionId : undefined;
  const newSession = () => {
    setMenuOpen(false);
    setDialog("new-session");
  };
  useShortcuts({ newSession, help: () => setDialog("shortcuts") });
  useTitle(selected);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever was chosen, the list has done its work
  useEffect(() => setMenuOpen(false), [route]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape closes the list from everywhere in it
    <div
      className={isMenuOpen ? "shell shell-menu-open" : "shell"}
      onKeyDown={(event) => event.key === "Escape" && setMenuOpen(false)}
    >
      <button type="button" className="skip-link" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <Sidebar
        selected={selected}
        page={route.page}
        version={version}
        onNewSession={newSession}
        onDisconnect={onDisconnect}
        onShortcuts={() => setDialog("shortcuts")}
      />
      <button type="button" className="shell-veil" aria-label="Close the list" onClick={() => setMenuOpen(false)} />
      <main className="shell-main" id="main" tabIndex={-1}>
        <div className="shell-small-bar">
          <Button look="quiet" icon="menu" onClick={() => setMenuOpen(true)}>
            Sessions
          </Button>
        </div>
        {notice}
        <WaitingBar selected={selected} />
        <Suspense>
          {route.page === "session" && (
            <SessionPage key={route.sessionId} sessionId={route.sessionId} tab={route.tab} />
          )}
          {route.page === "agents" && <AgentsPage />}
          {route.page === "requests" && <RequestLogPage />}
          {route.page === "home" && <Home onNewSession={newSession} />}
        </Suspense>
      </main>
      <Suspense>{dialog === "new-session" && <NewSessionDialog onClose={() => setDialog(null)} />}</Suspense>
      {dialog === "shortcuts" && <ShortcutsDialog onClose={() => setDialog(null)} />}
    </div>
  );
}

/** The tab tells how many sessions wait, wherever the reader is. */
function useTitle(selected: string | undefined): void {
  const { sessions } = useSessions();
  const waiting = sessions.filter(({ status }) => status === "waiting").length;
  const session = sessions.find(({ sessionId }) => sessionId === selected);
  const name = session ? `${session.title || session.sessionId} · Sandbox Agent` : "Sandbox Agent";
  useEffect(() => {
    document.title = waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [waiting, name]);
}
