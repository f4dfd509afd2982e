import type { McpServerConfig } from "@sandbox-agent-ts/protocol";

type Variables = Readonly<Record<string, string | null | undefined>>;

/** What is shorter is a word that texts may have for other reasons. */
const leastLength = 8;
/** `lm-studio` or `not-needed`: what people write where a key is wanted and none is looked at. */
const placeholder = /^[a-z._-]{1,15}$/;

/** `MAX_TOKENS` counts something, `KEY_FILE` and `TOKEN_URL` name a place. */
const secretName = /KEY|TOKEN(?!S)|SECRET|PASSWORD|PASSWD|PASSPHRASE|AUTHORIZATION|COOKIE/i;
const placeName = /(_|-)(FILE|PATH|DIR|URL|URI|ENDPOINT|COMMAND|DESCRIPTOR)$/i;

/** The values of variables and headers whose names say that they are secret; also within a variable that is JSON. */
export function secretsIn(variables: Variables): string[] {
  return Object.entries(variables).flatMap(([name, value]) => {
    if (!value) return [];
    if (value.trimStart().startsWith("{")) return secretsInJson(value);
    return secretName.test(name) && !placeName.test(name) ? secretOf(value) : [];
  });
}

function secretOf(value: string): string[] {
  // Of a header: `Bearer <token>`.
  const secret = value.trim().replace(/^(Bearer|Basic|Token) +/i, "");
  return secret.length < leastLength || placeholder.test(secret) ? [] : [secret];
}

/** A configuration with keys in it, as some agents take it from a variable. */
function secretsInJson(text: string): string[] {
  const found: string[] = [];
  try {
    JSON.parse(text, (name, value: unknown) => {
      if (typeof value === "string" && secretName.test(name) && !placeName.test(name)) found.push(...secretOf(value));
    });
  } catch {
    // Something else that begins with a brace.
  }
  return found;
}

/** What a session gives its agent and the agent's MCP servers. */
export function secretsOfSession(session: {
  readonly env?: Variables;
  readonly mcp?: Readonly<Record<string, McpServerConfig>>;
}): string[] {
  const servers = Object.values(session.mcp ?? {});
  const given = servers.map((server) => (server.type === "local" ? server.env : server.headers));
  return [session.env, ...given].flatMap((variables) => secretsIn(variables ?? {}));
}

/** What the daemon was started with: its own token, what agents get of its environment, and agents of the configuration. */
export function secretsOfDaemon(options: {
  readonly token: string | null;
  readonly env: Variables;
  readonly acpAgents?: readonly unknown[];
}): string[] {
  const agents = (options.acpAgents ?? []) as readonly { readonly env?: Variables }[];
  const given = [options.env, ...agents.map(({ env }) => env ?? {}), { TOKEN: options.token }];
  return given.flatMap(secretsIn);
}
