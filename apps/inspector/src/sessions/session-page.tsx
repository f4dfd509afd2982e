import { type UseSession, useSession, useTranscript } from "@sandbox-agent-ts/react";
import { lazy, Suspense, useMemo, useState } from "react";
import { Composer } from "../composer/composer.tsx";
import { Button } from "../controls/button.tsx";
import { ErrorBoundary } from "../controls/error-boundary.tsx";
import { Conversation } from "../conversation/conversation.tsx";
import { SessionPlaceProvider } from "../conversation/session-context.ts";
import { RequestDock } from "../requests/request-dock.tsx";
import type { SessionTab } from "../route/route.ts";
import { navigate } from "../route/use-route.ts";
import { sandboxWords } from "./sandbox-words.ts";
import { SessionHeader } from "./session-header.tsx";
import { SessionProblem } from "./session-problem.tsx";
import "./session-page.css";

const EventsPage = lazy(() => import("../events/events-page.tsx").then((it) => ({ default: it.EventsPage })));
const FilesPage = lazy(() => import("../files/files-page.tsx").then((it) => ({ default: it.FilesPage })));

interface SessionPageProps {
  readonly sessionId: string;
  readonly tab: SessionTab;
}

export function SessionPage({ sessionId, tab }: SessionPageProps) {
  const session = useSession(sessionId);
  const transcript = useTranscript(sessionId);
  const [sentCount, setSentCount] = useState(0);
  const directory = session.session?.directory ?? undefined;
  const problem = session.session?.problem;
  const place = useMemo(() => ({ sessionId, directory }), [sessionId, directory]);
  if (isShut(session.connection) && !session.session) return <SessionMissing error={session.error} />;
  return (
    <SessionPlaceProvider value={place}>
      <div className="session-page">
        <SessionHeader sessionId={sessionId} session={session} transcript={transcript} tab={tab} />
        <ErrorBoundary what="This page" resetOn={tab}>
          <Suspense fallback={<div className="session-page-gap" />}>
            {tab === "conversation" && (
              <Conversation
                transcript={transcript}
                sentCount={sentCount}
                empty={session.connection === "live" && <EmptyConversation session={session} />}
              />
            )}
            {tab === "events" && <EventsPage sessionId={sessionId} />}
            {tab === "files" && <FilesPage sessionId={sessionId} />}
          </Suspense>
        </ErrorBoundary>
        <RequestDock sessionId={sessionId} />
        {problem && <SessionProblem problem={problem} onDelete={session.remove} />}
        {tab === "conversation" && !problem && (
          <Composer sessionId={sessionId} session={session} onSend={() => setSentCount((count) => count + 1)} />
        )}
      </div>
    </SessionPlaceProvider>
  );
}

function isShut(connection: UseSession["connection"]): boolean {
  return connection === "missing" || connection === "refused" || connection === "failed";
}

function EmptyConversation({ session: { status, session } }: { session: UseSession }) {
  if (status === "running" && session?.runtime) {
    return (
      <div className="session-empty" role="status">
        <span className="spinner" />
        <h2>Starting the sandbox</h2>
        <p>{sandboxWords(session.runtime)}</p>
        <p>The message waits for it, and is sent by itself.</p>
      </div>
    );
  }
  return (
    <div className="session-empty">
      <h2>What should the agent do?</h2>
      <p>Write it below. You can attach files and paste images.</p>
    </div>
  );
}

function SessionMissing({ error }: { error: Error | undefined }) {
  return (
    <div className="session-empty" role="alert">
      <h2>This session cannot be shown</h2>
      <p>{error?.message}</p>
      <Button onClick={() => navigate({ page: "home" })}>Back to the sessions</Button>
    </div>
  );
}
