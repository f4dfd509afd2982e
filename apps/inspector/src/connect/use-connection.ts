import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { useCallback, useEffect, useState } from "react";
import { RequestLog } from "../request-log/request-log.ts";
import { type FoundTarget, forget, remember, type Target } from "./target.ts";
import { type Trouble, tryConnection } from "./try-connection.ts";

export type ConnectionState =
  | { readonly type: "asking"; readonly target: Target; readonly trouble?: Trouble }
  | { readonly type: "connecting"; readonly target: Target }
  | {
      readonly type: "connected";
      readonly client: SandboxAgent;
      readonly requestLog: RequestLog;
      readonly version: string;
    };

const memories = [sessionStorage, localStorage];

interface UseConnection {
  readonly state: ConnectionState;
  readonly connect: (target: Target) => Promise<void>;
  readonly disconnect: () => void;
}

/** The daemon this page talks to. One that was named is tried at once. */
export function useConnection({ target: first, isGiven }: FoundTarget): UseConnection {
  const [state, setState] = useState<ConnectionState>({ type: isGiven ? "connecting" : "asking", target: first });

  const connect = useCallback(async (target: Target) => {
    setState({ type: "connecting", target });
    const requestLog = new RequestLog();
    const fetch = requestLog.recording((input, init) => globalThis.fetch(input, init));
    const attempt = await tryConnection(target, { fetch, pageProtocol: location.protocol });
    if (!attempt.ok) {
      setState({ type: "asking", target, trouble: attempt.trouble });
      return;
    }
    remember(target, memories);
    const { url: baseUrl, token } = target;
    const client = await SandboxAgent.connect({ baseUrl, fetch, ...(token === "" ? {} : { token }) });
    setState({ type: "connected", client, requestLog, version: attempt.version });
  }, []);

  const disconnect = useCallback(() => {
    forget(memories);
    setState((now) => ({
      type: "asking",
      target: { url: now.type === "connected" ? now.client.baseUrl : now.target.url, token: "" },
    }));
  }, []);

  useEffect(() => {
    if (isGiven) void connect(first);
  }, [isGiven, first, connect]);

  return { state, connect, disconnect };
}
