const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** How long ago something was, in one short phrase; what is older than a month is a date. */
export function relativeTime(epochMs: number, now = Date.now()): string {
  const ago = now - epochMs;
  if (Math.abs(ago) < 5 * SECOND) return "just now";
  if (Math.abs(ago) >= 30 * DAY) return new Date(epochMs).toISOString().slice(0, 10);
  return ago > 0 ? `${span(ago)} ago` : `in ${span(-ago)}`;
}

function span(ms: number): string {
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`;
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`;
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`;
  const days = Math.floor(ms / DAY);
  return days === 1 ? "1 day" : `${days} days`;
}
