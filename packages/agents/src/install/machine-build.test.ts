import { expect, test } from "vitest";
import { forThisMachine, machineBuilds, saysAvx2 } from "./machine-build.ts";
import { currentPlatform } from "./platform.ts";

const isX64 = currentPlatform().includes("-x64");

test("an old processor gets the build for such, where there is one, and else the usual one", () => {
  const builds = machineBuilds(() => false);
  expect(builds).toEqual(isX64 ? [`${currentPlatform()}-baseline`, currentPlatform()] : [currentPlatform()]);
  const both = { [currentPlatform()]: "usual", [`${currentPlatform()}-baseline`]: "old" };
  expect(forThisMachine(both, builds)).toBe(isX64 ? "old" : "usual");
  expect(forThisMachine({ [currentPlatform()]: "usual" }, builds)).toBe("usual");
  expect(forThisMachine({}, builds)).toBeUndefined();
});

test("any other gets the usual one", () => {
  expect(machineBuilds(() => true)).toEqual([currentPlatform()]);
});

test.each([
  ["flags\t\t: fpu sse4_2 avx avx2 bmi\n", true],
  ["processor\t: 0\nflags\t\t: fpu sse4_2 avx bmi\nbugs: none avx2\n", false],
  ["Features\t: fp asimd\n", true],
])("%j", (cpuinfo, expected) => {
  expect(saysAvx2(cpuinfo)).toBe(expected);
});
