import type { Cost, Usage } from "@sandbox-agent-ts/protocol";

const KILO = 1_000;
const MEGA = 1_000_000;
/** What is less than that is not told apart. */
const SMALLEST_COST = 0.0001;

/** 950, 1.2k, 34k, 1.5M: three figures are enough to compare. */
export function formatCount(count: number): string {
  if (count < KILO) return String(count);
  if (count < MEGA) return `${short(count / KILO)}k`;
  return `${short(count / MEGA)}M`;
}

/** 1 event, 2 events. */
export function formatCounted(count: number, what: string): string {
  return `${formatCount(count)} ${what}${count === 1 ? "" : "s"}`;
}

export function formatBytes(bytes: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= KILO && unit < units.length - 1) {
    value /= KILO;
    unit += 1;
  }
  return `${unit === 0 ? value : short(value)} ${units[unit]}`;
}

/** Small sums keep their figures: a turn may cost a tenth of a cent. */
export function formatCost({ amount, currency }: Cost): string {
  if (amount > 0 && amount < SMALLEST_COST) return `<${formatCost({ amount: SMALLEST_COST, currency })}`;
  const digits = amount === 0 || amount >= 1 ? 2 : 4;
  const options = { minimumFractionDigits: 2, maximumFractionDigits: digits } as const;
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency, ...options }).format(amount);
  } catch {
    return `${amount.toFixed(digits)} ${currency}`;
  }
}

export function formatUsage(usage: Usage): string {
  return `${formatCount(usage.input_tokens)} in · ${formatCount(usage.output_tokens)} out`;
}

/** Every figure the agent told, for a tooltip. */
export function describeUsage(usage: Usage): string {
  const names: [string, number | undefined][] = [
    ["input", usage.input_tokens],
    ["output", usage.output_tokens],
    ["cached input", usage.cached_input_tokens],
    ["cache write", usage.cache_write_tokens],
    ["reasoning", usage.reasoning_tokens],
  ];
  const told = names.filter(([, count]) => count !== undefined);
  return `${told.map(([name, count]) => `${name} ${count?.toLocaleString("en")}`).join(", ")} tokens`;
}

/** Turns may be billed in different currencies; each gets its own sum. */
export function addCosts(costs: readonly Cost[]): Cost[] {
  const sums = new Map<string, number>();
  for (const { amount, currency } of costs) sums.set(currency, (sums.get(currency) ?? 0) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, "") : String(Math.round(value));
}
