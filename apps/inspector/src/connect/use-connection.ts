import { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { useCallback, useEffect, useState } from "react";
import { RequestLog } from "../request-log/request-log.ts";
import { type FoundTarget, forget, remember, type Target } from "./target.ts";
import { type Trouble, tryConnection } from "./try-connection.ts";

interface Connected {
  readonly type: "connected";
  readonly target: Target;
  readonly client: SandboxAgent;
  readonly requestLog: RequestLog;
  readonly version: string;
  /** The daemon answers that the token is wrong, which is no silence. */
  readonly isRefused: boolean;
}

export type ConnectionState =
  | { readonly type: "asking"; readonly target: Target; readonly trouble?: Trouble }
  | { readonly type: "connecting"; readonly target: Target }
  | Connected;

const memories = [sessionStorage, localStorage];

interface UseConnection {
  readonly state: ConnectionState;
  readonly connect: (target: Target) => Promise<void>;
  /** Go on with another token without leaving the page; answers what is wrong with it. */
  readonly changeToken: (target: Target) => Promise<Trouble | undefined>;
  readonly disconnect: () => void;
}

/** The daemon this page talks to. One that was named is tried at once. */
export function useConnection({ target: first, isGiven }: FoundTarget): UseConnection {
  const [state, setState] = useState<ConnectionState>({ type: isGiven ? "connecting" : "asking", target: first });

  const changeToken = useCallback(async (target: Target) => {
    const onAnswer = (client: SandboxAgent, isRefused: boolean) =>
      setState((now) => {
        const isNews = now.type === "connected" && now.client === client && now.isRefused !== isRefused;
        return isNews ? { ...now, isRefused } : now;
      });
    const opened = await open(target, onAnswer);
    if (!("client" in opened)) return opened;
    remember(target, memories);
    setState({ type: "connected", target, ...opened, isRefused: false });
    return undefined;
  }, []);

  const connect = useCallback(
    async (target: Target) => {
      setState({ type: "connecting", target });
      const trouble = await changeToken(target);
      if (trouble) setState({ type: "asking", target, trouble });
    },
    [changeToken],
  );

  const disconnect = useCallback(() => {
    forget(memories);
    setState((now) => ({ type: "asking", target: { url: now.target.url, token: "" } }));
  }, []);

  useEffect(() => {
    if (isGiven) void connect(first);
  }, [isGiven, first, connect]);

  return { state, connect, changeToken, disconnect };
}

/** A client for a daemon that lets us in; whether it later refuses our token or takes it again is told. */
async function open(
  target: Target,
  onAnswer: (client: SandboxAgent, isRefused: boolean) => void,
): Promise<Pick<Connected, "client" | "requestLog" | "version"> | Trouble> {
  const requestLog = new RequestLog();
  const fetch = requestLog.recording((input, init) => globalThis.fetch(input, init));
  const attempt = await tryConnection(target, { fetch, pageProtocol: location.protocol });
  if (!attempt.ok) return attempt.trouble;
  const { url: baseUrl, token } = target;
  const client: SandboxAgent = await SandboxAgent.connect({
    baseUrl,
    ...(token === "" ? {} : { token }),
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (response.ok || response.status === 401) onAnswer(client, !response.ok);
      return response;
    },
  });
  return { client, requestLog, version: attempt.version };
}
