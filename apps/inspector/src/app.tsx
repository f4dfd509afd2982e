import { SandboxAgentProvider } from "@sandbox-agent-ts/react";
import { lazy, Suspense } from "react";
import { ConnectScreen } from "./connect/connect-screen.tsx";
import { type FoundTarget, targetFromFields } from "./connect/target.ts";
import { TokenBar } from "./connect/token-bar.tsx";
import { useConnection } from "./connect/use-connection.ts";
import { RequestLogProvider } from "./request-log/request-log-context.ts";

const Shell = lazy(() => import("./shell/shell.tsx").then(({ Shell: component }) => ({ default: component })));

/** First the way to a daemon, then everything else. */
export function App({ found }: { found: FoundTarget }) {
  const { state, connect, changeToken, disconnect } = useConnection(found);
  if (state.type !== "connected") return <ConnectScreen state={state} onConnect={connect} />;
  const takeToken = async (text: string) => {
    const target = targetFromFields(state.target.url, text);
    return target && changeToken(target);
  };
  return (
    <RequestLogProvider value={state.requestLog}>
      <SandboxAgentProvider client={state.client}>
        <Suspense>
          <Shell
            version={state.version}
            notice={state.isRefused && <TokenBar onToken={takeToken} />}
            onDisconnect={disconnect}
          />
        </Suspense>
      </SandboxAgentProvider>
    </RequestLogProvider>
  );
}
