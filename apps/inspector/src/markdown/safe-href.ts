const allowed = new Set(["http:", "https:", "mailto:"]);

/** The address of a link an agent wrote, if following it can do no harm here; else undefined. */
export function safeHref(href: string): string | undefined {
  if (!URL.canParse(href)) return undefined;
  const url = new URL(href);
  return allowed.has(url.protocol) ? url.href : undefined;
}
