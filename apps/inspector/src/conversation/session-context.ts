import { createContext, useContext } from "react";

interface SessionPlace {
  readonly sessionId: string;
  /** Where it works; unknown until the daemon has said so. */
  readonly directory: string | undefined;
}

const SessionContext = createContext<SessionPlace>({ sessionId: "", directory: undefined });

/** Says whose conversation is below, for what is read from its directory and how its paths are shown. */
export const SessionPlaceProvider = SessionContext.Provider;

export function useSessionId(): string {
  return useContext(SessionContext).sessionId;
}

/** A path as people of this session would write it: relative to its directory. */
export function useShownPath(): (path: string) => string {
  const { directory } = useContext(SessionContext);
  return (path) => (directory && path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : path);
}
