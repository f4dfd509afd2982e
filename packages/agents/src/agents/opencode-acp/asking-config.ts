const asking = { edit: "ask", bash: "ask", webfetch: "ask" };

/** The user's configuration, as they gave it in the environment, with the wish to be asked where they say nothing. */
export function askingConfig(given: string | undefined): string {
  const config = parse(given);
  if (typeof config.permission === "string") return JSON.stringify(config);
  return JSON.stringify({ ...config, permission: { ...asking, ...config.permission } });
}

/** What cannot be read OpenCode itself complains of; it gets the rest all the same. */
function parse(given: string | undefined): { permission?: string | object } {
  try {
    const config: unknown = JSON.parse(given || "{}");
    return typeof config === "object" && config !== null ? config : {};
  } catch {
    return {};
  }
}
