export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * part)]!;
}

/** Run two works in turns, so that whatever else the machine does hits both alike; the middle of each counts. */
export async function sideBySide(
  rounds: number,
  floor: () => Promise<number>,
  ours: () => Promise<number>,
): Promise<{ floor: number; ours: number }> {
  const floors: number[] = [];
  const own: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) floors.push(await floor());
    own.push(await ours());
    if (round % 2 === 1) floors.push(await floor());
  }
  return { floor: median(floors), ours: median(own) };
}
