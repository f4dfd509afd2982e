import type { SandboxEndpoint } from "../sandbox-provider.ts";

const badGateway = 502;

/** A port of a sandbox, as Daytona's proxy offers it to who has the token of this start. */
export function previewEndpoint({ url, token }: { readonly url: string; readonly token: string }): SandboxEndpoint {
  const headers = { "x-daytona-preview-token": token, "x-daytona-skip-preview-warning": "true" };
  return { url: url.replace(/\/+$/, ""), headers, fetch: fetchThroughProxy };
}

/** The proxy says 400 of a sandbox that it does not reach, too; the daemon says what is wrong in a form of its own. */
const fetchThroughProxy: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  const type = answer.headers.get("content-type") ?? "";
  if (answer.status !== 400 || type.startsWith("application/problem+json")) return answer;
  return new Response(answer.body, { status: badGateway, headers: answer.headers });
};
