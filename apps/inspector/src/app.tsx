import { SandboxAgentProvider } from "@sandbox-agent-ts/react";
import { lazy, Suspense } from "react";
import { ConnectScreen } from "./connect/connect-screen.tsx";
import type { FoundTarget } from "./connect/target.ts";
import { useConnection } from "./connect/use-connection.ts";
import { RequestLogProvider } from "./request-log/request-log-context.ts";

const Shell = lazy(() => import("./shell/shell.tsx").then(({ Shell: component }) => ({ default: component })));

/** First the way to a daemon, then everything else. */
export function App({ found }: { found: FoundTarget }) {
  const { state, connect, disconnect } = useConnection(found);
  if (state.type !== "connected") return <ConnectScreen state={state} onConnect={connect} />;
  return (
    <RequestLogProvider value={state.requestLog}>
      <SandboxAgentProvider client={state.client}>
        <Suspense>
          <Shell version={state.version} onDisconnect={disconnect} />
        </Suspense>
      </SandboxAgentProvider>
    </RequestLogProvider>
  );
}
