/** Feared: what clusters do to pods, and what only the real client and a real kubelet show. */
import { afterEach, expect, test } from "vitest";
import type { KubeObject } from "../../../../testing/src/providers/kubernetes/kube-object.ts";
import {
  type KubernetesOptions,
  KubernetesService,
} from "../../../../testing/src/providers/kubernetes/kubernetes-service.ts";
import { Cluster } from "./cluster.ts";
import { KubernetesMachine } from "./kubernetes-machine.ts";
import { createKubernetesProvider } from "./kubernetes-provider.ts";
import { readKubernetesSettings } from "./kubernetes-settings.ts";
import { machineKinds, newId } from "./machine-kinds.ts";
import { rulesFor } from "./role.ts";

let service: KubernetesService;
afterEach(() => service.close());

async function setUp(options: KubernetesOptions = {}, changes = {}) {
  service = await KubernetesService.start(options);
  const settings = readKubernetesSettings({ ...service.settings, ...changes }, {});
  const cluster = new Cluster(settings);
  const make = async (mode: "pod" | "sandbox" | "claim", image?: string) => {
    const kind = machineKinds[mode];
    const machine = new KubernetesMachine(newId(kind), { cluster, settings }, mode === "sandbox");
    const spec = { labels: { of: "test" }, bundle: "/", image };
    await cluster.create(kind.resource, kind.body(machine.id, Date.now() + 60_000, spec, settings));
    await machine.untilRunning();
    return machine;
  };
  return { cluster, settings, make };
}

const say = (text: string) => ["sh", "-c", text];

test("commands have exit codes, output of both kinds, and time limits", async () => {
  const { make } = await setUp();
  const machine = await make("pod");
  expect(await machine.run(say("echo out; echo err >&2; exit 3"))).toEqual({
    code: 3,
    stdout: "out\n",
    stderr: "err\n",
  });
  expect(await machine.run(["printf", "%s|", "a b", "ü+&=%", ""])).toMatchObject({ code: 0, stdout: "a b|ü+&=%||" });
  expect(await machine.run(["no-such-program"])).toMatchObject({
    code: 127,
    stderr: expect.stringContaining("not found"),
  });
  await expect(machine.run(["sleep", "5"], { timeoutMs: 100 })).rejects.toMatchObject({ code: "timeout" });
  const large = await machine.run(say("head -c 3000000 /dev/zero | tr '\\0' x"));
  expect(large.stdout).toHaveLength(3_000_000);
  await machine.destroy();
  await expect(machine.run(["true"])).rejects.toMatchObject({ code: "not_found" });
});

test.each(["v4", "v5"] as const)(
  "files arrive whole over the protocol %s, also where nobody can say that they end",
  async (execProtocol) => {
    const { make } = await setUp({ execProtocol });
    const machine = await make("pod");
    const data = Uint8Array.from({ length: 700_001 }, (_, index) => index % 251);
    const paths = ["/sandbox/agent/deep/ä 'ü'\n$x.bin", `/sandbox/agent/${"long".repeat(50)}`];
    await machine.write(paths.map((path) => ({ path, data, mode: 0o640 })));
    await machine.write([{ path: paths[0]!, data: data.subarray(1), mode: 0o600 }]);
    const { stdout } = await machine.run(["sh", "-c", 'stat -c "%a %s" "$@"', "sh", ...paths]);
    expect(stdout).toBe("600 700000\n640 700001\n");
    expect((await machine.run(["ls", "-A", "/sandbox"])).stdout).toBe("agent\n");
    await expect(machine.write([{ path: "/sandbox/agent/deep", data }])).rejects.toThrow(/is a directory/);
  },
);

const server = `require("node:http").createServer((q, s) => s.end("hello " + q.url)).listen(2468)`;

test.each(["port-forward", "pod-ip"])(
  "a port is reached by %s, also after every connection was broken",
  async (reach) => {
    const { make } = await setUp({}, { reach });
    const machine = await make("pod");
    const { url, fetch: there } = await machine.endpoint(2468);
    await expect(there!(url)).rejects.toThrow("fetch failed");
    await machine.launch(["node", "-e", server]);
    const textAt = (path: string) =>
      there!(url + path).then(
        (answer) => answer.text(),
        () => "",
      );
    await expect.poll(() => textAt("/a"), { timeout: 20_000 }).toBe("hello /a");
    service.breakStreams();
    await expect.poll(() => textAt("/b")).toBe("hello /b");
    await machine.destroy();
    await expect(machine.endpoint(2468)).rejects.toMatchObject({ code: "not_found" });
  },
);

test("a pod that the node evicts is gone with the reason; a container that is killed is started again on the same files", async () => {
  const { make } = await setUp();
  const machine = await make("pod");
  await machine.write([{ path: "/sandbox/agent/kept", data: Buffer.from("1") }]);
  const [main] = service.boxes
    .get(machine.id)!
    .processes()
    .filter(({ command }) => command.startsWith("sh -c trap"));
  process.kill(main!.pid, "SIGKILL");
  const isKept = () =>
    machine.run(["cat", "/sandbox/agent/kept"]).then(
      ({ stdout }) => stdout,
      () => "",
    );
  await expect.poll(isKept, { timeout: 20_000 }).toBe("1");
  await service.evict(machine.id);
  expect(await machine.status()).toEqual({ state: "gone", why: expect.stringContaining("Evicted") });
  await machine.destroy();
  expect(service.objects("pods")).toEqual([]);
});

test.each(["suspended", "expired", "evicted"])("a Sandbox that was %s goes on with its files", async (how) => {
  const { make } = await setUp();
  const machine = await make("sandbox");
  await machine.write([{ path: "/sandbox/agent/kept", data: Buffer.from("1") }]);
  if (how === "suspended") await machine.suspend!();
  else if (how === "expired") await service.expire(machine.id);
  else await service.evict(machine.id);
  await expect.poll(async () => (await machine.status()).state).toBe("suspended");
  await expect(machine.run(["true"])).rejects.toMatchObject({ code: "stopped" });
  await machine.resume!();
  expect((await machine.run(["cat", "/sandbox/agent/kept"])).stdout).toBe("1");
  await machine.extend(600_000);
  expect((await machine.status()).expiresAt).toBeGreaterThan(Date.now() + 500_000);
  await machine.destroy();
  for (const plural of ["sandboxes", "pods", "persistentvolumeclaims"] as const)
    expect(service.objects(plural)).toEqual([]);
});

const apiVersion = "extensions.agents.x-k8s.io/v1beta1";
const warm: KubeObject[] = [
  {
    apiVersion,
    kind: "SandboxTemplate",
    metadata: { name: "agents" },
    spec: {
      podTemplate: {
        spec: {
          containers: [
            {
              name: "main",
              image: "any",
              command: ["sleep", "1000000"],
              volumeMounts: [{ name: "s", mountPath: "/sandbox" }],
            },
          ],
          volumes: [{ name: "s", emptyDir: {} }],
        },
      },
    },
  },
  {
    apiVersion,
    kind: "SandboxWarmPool",
    metadata: { name: "agents" },
    spec: { replicas: 1, sandboxTemplateRef: { name: "agents" } },
  },
];

test("a claim takes a Sandbox that is warm, and ends it with itself", async () => {
  const { make } = await setUp({ objects: warm }, { mode: "claim", warmPool: "agents" });
  await expect.poll(() => service.objects("sandboxwarmpools")[0]?.status.readyReplicas).toBe(1);
  const [member] = service.objects("sandboxes");
  const machine = await make("claim");
  expect(service.objects("sandboxclaims")[0]?.status.sandbox.name).toBe(member!.metadata.name);
  await machine.write([{ path: "/sandbox/agent/file", data: Buffer.from("1") }]);
  expect(await machine.run(["cat", "/sandbox/agent/file"])).toMatchObject({ stdout: "1" });
  expect((await machine.status()).expiresAt).toBeGreaterThan(Date.now());
  await machine.destroy();
  expect(await machine.status()).toMatchObject({ state: "gone" });
  await expect
    .poll(() => service.objects("sandboxes").map(({ metadata }) => metadata.name))
    .not.toContain(member!.metadata.name);
});

test("the rights of the Role are enough, and none is idle; what is lacking is named", async () => {
  const { make, cluster } = await setUp({ rules: rulesFor("sandbox") });
  for (const mode of ["pod", "sandbox"] as const) {
    const machine = await make(mode);
    await machine.write([{ path: "/sandbox/agent/file", data: Buffer.from("1") }]);
    await machine.extend(600_000);
    const { url, fetch: there } = await machine.endpoint(2468);
    await there!(url).catch(() => {});
    for await (const _ of cluster.list(machineKinds[mode].resource, "a=b"));
    await machine.destroy();
  }
  const rights = rulesFor("sandbox").flatMap(({ apiGroups: [group], resources, verbs }) =>
    resources.flatMap((name) =>
      verbs.map((verb) => `${verb} ${name.replace(/^\w+/, (plural) => plural + (group ? `.${group}` : ""))}`),
    ),
  );
  expect([...service.permissions.used].sort()).toEqual(rights.sort());
  expect(await cluster.missing(rulesFor("sandbox"))).toEqual([]);
  expect(await cluster.missing(rulesFor("claim"))).toContain("create sandboxclaims.extensions.agents.x-k8s.io");
});

test("without rights it is said which Role is needed, and the doctor names them", async () => {
  service = await KubernetesService.start({ rules: [], agentSandbox: "none" });
  const settings = readKubernetesSettings({ ...service.settings, mode: "sandbox" }, {});
  const provider = await createKubernetesProvider({ ...settings, directory: "/nowhere" });
  const refused = {
    code: "unauthorized",
    message: expect.stringMatching(/may not create .*deploy\/kubernetes\/role.yaml/),
  };
  const pods = await createKubernetesProvider({ ...settings, mode: "pod", directory: "/nowhere" });
  await expect(pods.create({ labels: {}, bundle: "/" })).rejects.toMatchObject(refused);
  await expect(provider.create({ labels: {}, bundle: "/" })).rejects.toThrow(/install agent-sandbox/);
  const checks = await provider.check();
  expect(checks.filter(({ ok }) => !ok).map(({ name }) => name)).toEqual(["rights", "agent-sandbox", "isolation"]);
  expect(checks[0]!.detail).toContain("create pods/exec");
});

test("an image that cannot be pulled is told at once, and nothing of it stays", async () => {
  service = await KubernetesService.start();
  const settings = readKubernetesSettings(service.settings, {});
  const provider = await createKubernetesProvider({ ...settings, directory: "/nowhere" });
  await expect(provider.create({ labels: {}, bundle: "/", image: "registry/none:missing" })).rejects.toThrow(
    /ImagePullBackOff/,
  );
  expect(service.objects("pods")).toEqual([]);
});

test("a token that was renewed in the kubeconfig is taken up", async () => {
  const { make } = await setUp();
  const machine = await make("pod");
  service.changeToken({ isKnown: true });
  expect(await machine.run(["echo", "again"])).toMatchObject({ stdout: "again\n" });
  service.changeToken({ isKnown: false });
  await expect(machine.run(["true"])).rejects.toMatchObject({ code: "unauthorized", message: /credentials/ });
});

test.each([
  ["none", undefined, "pod"],
  ["v1alpha1", undefined, "pod"],
  ["v1beta1", undefined, "sandbox"],
  ["v1beta1", "agents", "claim"],
] as const)(
  "auto: a cluster with agent-sandbox %s and the pool %s has sandboxes as %s",
  async (agentSandbox, warmPool, mode) => {
    service = await KubernetesService.start({ agentSandbox });
    const settings = readKubernetesSettings({ ...service.settings, mode: "auto", warmPool }, {});
    const provider = await createKubernetesProvider({ ...settings, directory: "/nowhere" });
    expect(provider.can.suspend).toBe(mode === "sandbox" ? "disk" : false);
    await provider
      .create(
        { labels: {}, bundle: "/", image: mode === "claim" ? "x" : "a:missing", network: "on" },
        AbortSignal.timeout(50),
      )
      .catch(() => {});
  },
);
