const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

/** 340 ms, 4.2 s, 1 min 5 s, 2 h 3 min. */
export function formatDuration(ms: number): string {
  if (ms < SECOND) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < MINUTE) return `${ms < 10 * SECOND ? (ms / SECOND).toFixed(1) : Math.round(ms / SECOND)} s`;
  if (ms < HOUR) return pair(ms, MINUTE, "min", SECOND, "s");
  return pair(ms, HOUR, "h", MINUTE, "min");
}

/** How long ago, for lists: now, 5 min, 3 h, 2 d, then the date. */
export function formatAge(time: number, now: number): string {
  const age = now - time;
  if (age < MINUTE) return "now";
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`;
  if (age < DAY) return `${Math.floor(age / HOUR)} h`;
  if (age < WEEK) return `${Math.floor(age / DAY)} d`;
  return new Date(time).toLocaleDateString("en", { month: "short", day: "numeric" });
}

/** 14:03:07.042, in the reader's own time. */
export function formatClock(time: string | number): string {
  const date = new Date(time);
  const clock = date.toLocaleTimeString("en-GB", { hour12: false });
  return `${clock}.${String(date.getMilliseconds()).padStart(3, "0")}`;
}

function pair(ms: number, big: number, bigName: string, small: number, smallName: string): string {
  const rest = Math.floor((ms % big) / small);
  const whole = `${Math.floor(ms / big)} ${bigName}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallName}`;
}
