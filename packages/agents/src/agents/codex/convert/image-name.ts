const LANES = 4;

/**
 * A name for an image by what is in it, so that the same image is one file; for browsers, too, where there is no hash to
 * be had at once. Four lanes of multiply and mix: good against chance, not against somebody who wants two to collide.
 */
export function imageName(data: string): string {
  const lanes = Array.from({ length: LANES }, (_, lane) => mix(data, lane));
  return lanes.map((lane) => lane.toString(16).padStart(8, "0")).join("");
}

function mix(data: string, lane: number): number {
  let hash = 0x9e3779b9 ^ Math.imul(lane + 1, 0x85ebca6b);
  for (let at = 0; at < data.length; at += 1) {
    hash = Math.imul(hash ^ data.charCodeAt(at), 0x01000193 + 2 * lane);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  return (hash ^ (hash >>> 15)) >>> 0;
}
