import { useSessions } from "@sandbox-agent-ts/react";
import { Button } from "../controls/button.tsx";
import { Logo } from "./logo.tsx";
import "./home.css";

export function Home({ onNewSession }: { onNewSession: () => void }) {
  const { sessions, isLoading } = useSessions();
  const isNew = !isLoading && sessions.length === 0;
  return (
    <section className="home">
      <Logo size={44} />
      <h1>{isNew ? "Start your first session" : "Choose a session"}</h1>
      <p>
        {isNew
          ? "A session is a conversation with a coding agent in a sandbox. Choose an agent, say what you want, and watch it work."
          : "Pick one from the list, or begin another. Everything that happens in a session stays here, also after a reload or a restart."}
      </p>
      <Button look="primary" icon="plus" onClick={onNewSession}>
        New session
      </Button>
    </section>
  );
}
