import type { Cost, Usage } from "@sandbox-agent-ts/sdk";

const units = ["B", "kB", "MB", "GB", "TB"];

/** `1536` → `1.5 kB`. */
export function byteText(bytes: number): string {
  const at = Math.min(units.length - 1, bytes < 1_000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return `${scaled(bytes, at)} ${units[at]}`;
}

const suffixes = ["", "k", "M", "G"];

/** `12345` → `12k`. */
export function countText(count: number): string {
  const at = Math.min(suffixes.length - 1, count < 1_000 ? 0 : Math.floor(Math.log10(count) / 3));
  return `${scaled(count, at)}${suffixes[at]}`;
}

/** `1 file`, `2 files`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function scaled(count: number, thousands: number): string {
  const value = count / 1_000 ** thousands;
  return thousands === 0 || value >= 10 ? String(Math.floor(value)) : value.toFixed(1);
}

/** Tokens in words: `1.2k tokens in, 300 out`. */
export function usageText(usage: Usage): string {
  const { input_tokens: input, output_tokens: output } = usage;
  return `${countText(input)} ${input === 1 ? "token" : "tokens"} in, ${countText(output)} out`;
}

/** `$0.0123`: small sums keep their figures. */
export function costText({ amount, currency }: Cost): string {
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  try {
    const options = { style: "currency", currency, minimumFractionDigits: 2, maximumFractionDigits: digits } as const;
    return new Intl.NumberFormat("en", options).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency}`;
  }
}

/** `850 ms`, `12 s`, `3 min 5 s`, `2 h 4 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`;
  const seconds = Math.floor(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
