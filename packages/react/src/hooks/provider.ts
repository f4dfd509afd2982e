import type { SandboxAgent } from "@sandbox-agent-ts/sdk";
import { createContext, createElement, type ReactElement, type ReactNode, useContext } from "react";
import { type ClientStores, storesOf } from "../stores/client-stores.ts";

const ClientContext = createContext<SandboxAgent | undefined>(undefined);

export interface SandboxAgentProviderProps {
  readonly client: SandboxAgent;
  readonly children?: ReactNode;
}

/** Gives every hook below it the daemon to talk to. */
export function SandboxAgentProvider({ client, children }: SandboxAgentProviderProps): ReactElement {
  return createElement(ClientContext, { value: client }, children);
}

export function useSandboxAgent(): SandboxAgent {
  const client = useContext(ClientContext);
  if (!client)
    throw new Error("This hook needs a <SandboxAgentProvider client={…}> above the component that calls it.");
  return client;
}

export function useStores(): ClientStores {
  return storesOf(useSandboxAgent());
}
