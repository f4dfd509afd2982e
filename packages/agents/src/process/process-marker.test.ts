import { expect, test } from "vitest";
import { createProcessMarkers, findMarker } from "./process-marker.ts";

test("a marker is found wherever it stands in the environment, and only as a variable of its own", () => {
  expect(findMarker("SANDBOX_AGENT_PROCESS=o:r.1\0PATH=/bin\0")).toBe("o:r.1");
  expect(findMarker("PATH=/bin\0SANDBOX_AGENT_PROCESS=o:r.1\0")).toBe("o:r.1");
  expect(findMarker("PATH=/bin\0SANDBOX_AGENT_PROCESS=o:r.1")).toBe("o:r.1");
  expect(findMarker("OTHER_SANDBOX_AGENT_PROCESS=o:r.1\0NOTE=SANDBOX_AGENT_PROCESS=x\0")).toBe(null);
  expect(findMarker("SANDBOX_AGENT_PROCESS=forged\0SANDBOX_AGENT_PROCESS=o:r.1\0")).toBe("o:r.1");
  expect(findMarker("")).toBe(null);
});

test("markers tell this life of the daemon from earlier ones, and other owners from both", () => {
  const markers = createProcessMarkers("owner", "run2");
  expect([markers.next(), markers.next()]).toEqual(["owner:run2.1", "owner:run2.2"]);
  const told = ["owner:run2.1", "owner:run1.1", "owner:run22.1", "other:run1.1", null];
  expect(told.map(markers.isCurrent)).toEqual([true, false, false, false, false]);
  expect(told.map(markers.isEarlier)).toEqual([false, true, true, false, false]);
});
