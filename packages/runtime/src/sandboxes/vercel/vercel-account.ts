import { SandboxProviderError } from "../sandbox-provider.ts";

/** Whose sandboxes they are. */
export interface VercelAccount {
  readonly token: string;
  readonly teamId: string;
  readonly projectId: string;
}

/** What of it was set, where a token was. */
export type GivenAccount = Partial<Readonly<Record<keyof VercelAccount, string | undefined>>>;

const whereFrom = {
  token: "VERCEL_TOKEN, or the setting token: vercel.com/account/tokens makes one",
  teamId: "VERCEL_TEAM_ID, or the setting teamId: it is in the team's settings",
  projectId: "VERCEL_PROJECT_ID, or the setting projectId: it is in the project's settings",
} as const;

/**
 * An access token with its team and its project; or, where none of the three is set, the token that `vercel env pull` fetches,
 * which names both. The SDK is never left to find one by itself: in a terminal it would ask its user to sign in.
 */
export function accountOf(given: GivenAccount, oidcToken: string | undefined): VercelAccount {
  const { token, teamId, projectId } = given;
  if (token && teamId && projectId) return { token, teamId, projectId };
  if (!token && oidcToken) return accountOfToken(oidcToken, given);
  const missing = (["token", "teamId", "projectId"] as const).filter((name) => !given[name]);
  const wanted = missing.map((name) => whereFrom[name]).join("; ");
  const other = token
    ? ""
    : " Or fetch a token for a linked project with `vercel env pull`, and set VERCEL_OIDC_TOKEN.";
  throw new SandboxProviderError("unauthorized", `The provider vercel has no credentials. Set ${wanted}.${other}`);
}

/** A JSON Web Token: its second part says whose it is. */
function accountOfToken(token: string, { teamId, projectId }: GivenAccount): VercelAccount {
  try {
    const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Record<
      string,
      unknown
    >;
    const { owner_id: owner, project_id: project } = claims;
    if (typeof owner === "string" && typeof project === "string")
      return { token, teamId: teamId ?? owner, projectId: projectId ?? project };
  } catch {
    // It is none.
  }
  const detail = "VERCEL_OIDC_TOKEN is not a token of Vercel's. Fetch one for a linked project with `vercel env pull`.";
  throw new SandboxProviderError("unauthorized", detail);
}
