export interface SocketLimits {
  /** Sockets that a principal has open at a time. */
  readonly maxConnections: number;
  /** Sessions that a socket follows at a time. */
  readonly maxJoined: number;
  /** Requests of a socket that are not answered yet. */
  readonly maxWaitingRequests: number;
  /** One message of a client; larger ones go by REST. */
  readonly maxMessageBytes: number;
  /** A connection that does not say who it is by then is closed. */
  readonly connectTimeoutMs: number;
  /** How often it is looked whether what sockets were opened with still holds. */
  readonly checkIntervalMs: number;
}

export const defaultSocketLimits: SocketLimits = {
  maxConnections: 2_000,
  maxJoined: 64,
  maxWaitingRequests: 128,
  maxMessageBytes: 1024 * 1024,
  connectTimeoutMs: 10_000,
  checkIntervalMs: 1_000,
};
