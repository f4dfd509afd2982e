/** What the API answers instead of an object. */
export interface Status {
  readonly kind: "Status";
  readonly apiVersion: "v1";
  readonly metadata: Record<string, never>;
  readonly status: "Success" | "Failure";
  readonly message?: string;
  readonly reason?: string;
  readonly details?: unknown;
  readonly code?: number;
}

const reasons: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  409: "AlreadyExists",
  410: "Expired",
  422: "Invalid",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

export function failure(code: number, message: string, reason = reasons[code] ?? "Unknown", details?: unknown): Status {
  const base = { kind: "Status", apiVersion: "v1", metadata: {}, status: "Failure" } as const;
  return { ...base, message, reason, code, ...(details === undefined ? {} : { details }) };
}

/** A request that is refused, with the status it is answered. */
export class Refusal extends Error {
  readonly status: Status;
  constructor(code: number, message: string, reason?: string) {
    super(message);
    this.status = failure(code, message, reason);
  }
}

/** What comes on the last channel of a command. */
export function exitStatus(code: number): Status {
  if (code === 0) return { kind: "Status", apiVersion: "v1", metadata: {}, status: "Success" };
  const details = { causes: [{ reason: "ExitCode", message: String(code) }] };
  const message = `command terminated with non-zero exit code: exit code ${code}`;
  return {
    kind: "Status",
    apiVersion: "v1",
    metadata: {},
    status: "Failure",
    message,
    reason: "NonZeroExitCode",
    details,
  };
}
