import { type AnswerHeaders, chainOf, providerError } from "../hosted/provider-error.ts";
import { SandboxProviderError } from "../sandbox-provider.ts";

interface Refusal {
  readonly status: number;
  readonly message: string;
  readonly headers?: AnswerHeaders | undefined;
}

const documentation = "docs/kubernetes";

/** What the client rejects with, in the words of the seam. `doing`: what was asked for, e.g. `create pods`. */
export function kubernetesError(error: unknown, doing: string): SandboxProviderError {
  if (error instanceof SandboxProviderError) return error;
  const refusal = refusalOf(error);
  if (refusal === undefined) {
    const cause = causeOf(error);
    const reason = chainOf(cause).map(({ message }) => message)[0] ?? String(cause);
    return providerError(undefined, `The cluster did not answer (${doing}): ${reason}`, { cause });
  }
  const { status, message, headers } = refusal;
  const options = { cause: causeOf(error), headers };
  if (status < 400)
    return providerError(502, `Not the API but a proxy before it answers (${doing}): ${message}`, options);
  switch (status) {
    case 401:
      return providerError(401, withoutCredentials, options);
    case 403:
      return forbidden(message, doing, options);
    case 404:
      return /could not find the requested resource/.test(message)
        ? new SandboxProviderError("failed", withoutResource(doing), options)
        : providerError(404, `Kubernetes (${doing}): ${message}`, options);
    default:
      return providerError(status, `Kubernetes (${doing}): ${message}`, options);
  }
}

const withoutCredentials =
  "The cluster does not take the runtime's credentials (token or certificate). Sign in again, or have the kubeconfig or the service account renewed; a changed kubeconfig is read by itself.";

const withoutResource = (doing: string) =>
  `The cluster does not have what is asked for (${doing}): install agent-sandbox from 0.5 on, or set mode to pod.`;

/** Said of quotas, of rules for pods and of rights alike. */
function forbidden(message: string, doing: string, options: { readonly cause: unknown }): SandboxProviderError {
  if (/exceeded quota/.test(message)) {
    const detail = `The namespace has no room for another sandbox: ${message}. End some, or have its ResourceQuota raised.`;
    return new SandboxProviderError("rate_limited", detail, options);
  }
  if (/violates PodSecurity|admission webhook|denied the request/.test(message))
    return new SandboxProviderError("failed", `The cluster does not allow such pods: ${message}`, options);
  const [, verb, resource, group, namespace] =
    /cannot (\w+) resource "([^"]+)" in API group "([^"]*)" in the namespace "([^"]+)"/.exec(message) ?? [];
  const right = verb === undefined ? doing : `${verb} ${resource}${group ? `.${group}` : ""}`;
  const where = namespace === undefined ? "the namespace" : `the namespace ${namespace}`;
  const detail = `The runtime's account may not ${right}: bind it to the Role of deploy/kubernetes/role.yaml in ${where} (${documentation} shows it).`;
  return new SandboxProviderError("unauthorized", detail, options);
}

/** The status of an answer: of the REST API, a watch or a refused WebSocket. */
function refusalOf(error: unknown): Refusal | undefined {
  const {
    code,
    body,
    headers,
    message = "",
  } = (error ?? {}) as {
    readonly code?: unknown;
    readonly body?: unknown;
    readonly headers?: AnswerHeaders;
    readonly message?: string;
  };
  if (typeof code === "number") return { status: code, message: messageOf(body), headers };
  const [, status] = /Unexpected server response: (\d+)/.exec(message) ?? [];
  return status === undefined ? undefined : { status: Number(status), message: `it answered ${status}` };
}

/** Of a Status object; what is none comes from something in between. */
function messageOf(body: unknown): string {
  try {
    const status = (typeof body === "string" ? JSON.parse(body) : body) as { readonly message?: unknown };
    if (typeof status.message === "string") return status.message.replace(/\.$/, "");
  } catch {
    // No Status.
  }
  return `what answered is not the API: ${String(body).slice(0, 200)}`;
}

/** WebSockets fail with an event that has the error. */
function causeOf(error: unknown): unknown {
  return (error as { readonly error?: unknown } | null)?.error ?? error;
}
