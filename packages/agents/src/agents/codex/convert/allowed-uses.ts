interface AskedUse {
  readonly tool?: unknown;
  readonly command?: unknown;
  readonly cwd?: unknown;
  readonly files?: readonly unknown[];
  readonly permissions?: unknown;
}

/**
 * What `always` covers, from the metadata of a permission: what Codex itself remembers while its process runs. The same
 * command in the same place, each of the files, the same tool of an MCP server.
 */
export function usesOf({ tool, command, cwd, files, permissions }: AskedUse): string[] {
  if (files) return files.map((file) => JSON.stringify([tool, file]));
  return [JSON.stringify([tool, command ?? permissions ?? null, cwd ?? null])];
}
