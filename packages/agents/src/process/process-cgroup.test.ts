import { expect, test } from "vitest";
import { cgroupDirectories } from "./process-cgroup.ts";

const unified = "30 25 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate";

test("the one hierarchy of version 2", () => {
  const [found] = cgroupDirectories(
    "0::/user.slice/session-1.scope\n",
    `22 1 8:1 / / rw - ext4 /dev/sda1 rw\n${unified}\n`,
  );
  const own = "/sys/fs/cgroup/user.slice/session-1.scope";
  expect(found).toEqual({ controllers: null, own, top: "/sys/fs/cgroup" });
});

test("every hierarchy of version 1, beside an empty one of version 2", () => {
  const mounts = [
    "31 30 0:27 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct",
    "32 30 0:28 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory",
    "33 30 0:29 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw",
  ];
  expect(cgroupDirectories("4:memory:/a\n3:cpu,cpuacct:/a/b\n0::/\n", mounts.join("\n"))).toEqual([
    { controllers: ["cpu", "cpuacct"], own: "/sys/fs/cgroup/cpu,cpuacct/a/b", top: "/sys/fs/cgroup/cpu,cpuacct" },
    { controllers: ["memory"], own: "/sys/fs/cgroup/memory/a", top: "/sys/fs/cgroup/memory" },
    { controllers: null, own: "/sys/fs/cgroup/unified", top: "/sys/fs/cgroup/unified" },
  ]);
});

test("a group that lies outside of what is mounted is none", () => {
  const mounts = "30 25 0:26 /docker/1 /sys/fs/cgroup rw - cgroup2 cgroup rw";
  expect(cgroupDirectories("0::/docker/2\n", mounts)).toEqual([]);
  expect(cgroupDirectories("0::/docker/1/x\n", mounts)).toEqual([
    { controllers: null, own: "/sys/fs/cgroup/x", top: "/sys/fs/cgroup" },
  ]);
  expect(cgroupDirectories("", mounts)).toEqual([]);
});
