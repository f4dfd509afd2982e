export interface ScanOptions {
  /** Also what a `.gitignore` leaves out, and folders of dependencies. */
  readonly ignored: boolean;
  /** Also files whose names say that they hold secrets. */
  readonly secrets: boolean;
  readonly maxFileBytes: number;
  readonly maxBytes: number;
  readonly maxEntries: number;
}

const mebibyte = 1024 * 1024;

const defaults: ScanOptions = {
  ignored: false,
  secrets: false,
  maxFileBytes: 100 * mebibyte,
  maxBytes: 2048 * mebibyte,
  maxEntries: 100_000,
};

/** A manifest is made in memory: no wish goes beyond this. */
const mostEntries = 1_000_000;

export function scanOptions(
  wished: { readonly [Key in keyof ScanOptions]?: ScanOptions[Key] | undefined },
): ScanOptions {
  const maxEntries = Math.min(wished.maxEntries ?? defaults.maxEntries, mostEntries);
  return {
    ignored: wished.ignored ?? defaults.ignored,
    secrets: wished.secrets ?? defaults.secrets,
    maxFileBytes: wished.maxFileBytes ?? defaults.maxFileBytes,
    maxBytes: wished.maxBytes ?? defaults.maxBytes,
    maxEntries,
  };
}
