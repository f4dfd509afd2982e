/** A file as it can be shown. */
export type FileContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "binary" }
  | { readonly type: "large" };

/** More than this is not opened in a page; it can be downloaded. */
export const MAX_SHOWN_BYTES = 1_500_000;

/** Text when every byte of it is, else binary. */
export function contentOf(bytes: Uint8Array): FileContent {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\u0000") ? { type: "binary" } : { type: "text", text };
  } catch {
    return { type: "binary" };
  }
}

const languages: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  json: "json",
  py: "python",
  sh: "bash",
  rs: "rust",
  go: "go",
  css: "css",
  html: "xml",
  xml: "xml",
  svg: "xml",
  yml: "yaml",
  yaml: "yaml",
  toml: "ini",
  ini: "ini",
  md: "markdown",
  mdx: "markdown",
  sql: "sql",
  java: "java",
  rb: "ruby",
  c: "c",
  h: "c",
  cpp: "cpp",
  diff: "diff",
  patch: "diff",
};

export function languageOf(name: string): string {
  return languages[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "";
}

export function isPicture(name: string): boolean {
  return /\.(png|jpe?g|gif|webp|svg|avif)$/i.test(name);
}
