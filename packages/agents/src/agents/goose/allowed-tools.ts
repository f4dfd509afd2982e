import type { Ask } from "../../acp/acp-agent.ts";
import { isHarmless } from "./describe-tool.ts";

interface ListedTools {
  readonly tools?: readonly { readonly name?: string; readonly permission?: string | null }[];
}

/**
 * In every mode but `auto` Goose uses without asking what its user has allowed for always, and it can be told no mode that
 * does not. So nobody plans while that is more than looking.
 */
export async function whyNotPlan(ask: Ask, sessionId: string): Promise<string | undefined> {
  const { tools = [] } = (await ask("_goose/unstable/tools/list", { sessionId })) as ListedTools;
  const allowed = tools.flatMap(({ name = "", permission }) =>
    permission === "always_allow" && !isHarmless(name) ? [name] : [],
  );
  if (allowed.length === 0) return undefined;
  return (
    `Goose uses tools that are always allowed also while it plans, and these are: ${allowed.join(", ")}. ` +
    "Take them out of always_allow in Goose's permission.yaml to plan, or use another permission mode."
  );
}
