import { createContext, useContext, useSyncExternalStore } from "react";
import { type LoggedRequest, RequestLog } from "./request-log.ts";

const RequestLogContext = createContext(new RequestLog());

export const RequestLogProvider = RequestLogContext.Provider;

export function useRequestLog(): { requests: readonly LoggedRequest[]; clear: () => void } {
  const log = useContext(RequestLogContext);
  return { requests: useSyncExternalStore(log.subscribe, log.getSnapshot), clear: log.clear };
}
