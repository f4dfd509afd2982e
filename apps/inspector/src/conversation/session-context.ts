import { createContext, useContext } from "react";

const SessionContext = createContext("");

/** Says whose conversation is below, for what is read from its directory. */
export const SessionIdProvider = SessionContext.Provider;

export function useSessionId(): string {
  return useContext(SessionContext);
}
