import type { TestSpecification } from "vitest/node";
import { BaseSequencer } from "vitest/node";

/** Whole agents take minutes, everything else seconds: begun last, they would leave one worker alone at the end. */
const long = [/\.contract\.test\.ts$/, /agents-e2e\//, /\.e2e\.test\.ts$/];

const rank = ({ moduleId }: TestSpecification): number => {
  const index = long.findIndex((pattern) => pattern.test(moduleId));
  return index === -1 ? long.length : index;
};

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other));
  }
}
