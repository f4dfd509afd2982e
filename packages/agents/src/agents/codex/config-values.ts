/** The texts that `config.toml` sets a key to, in whatever table. Within lines only: nothing is looked at twice. Pure. */
export function configValues(config: string, key: string): string[] {
  const pattern = new RegExp(`^[ \\t]*${key}[ \\t]*=[ \\t]*["']([^"'\\n]*)["']`, "gm");
  return Array.from(config.matchAll(pattern), ([, value]) => value!);
}
