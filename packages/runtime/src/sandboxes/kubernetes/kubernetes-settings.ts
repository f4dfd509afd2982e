import { type HostedPrograms, HostedSettings } from "../hosted/hosted-settings.ts";

const minute = 60_000;

/** The settings of the provider, each with a line for people. */
export const kubernetesSettings = {
  kubeconfig:
    "file that says where the cluster is (default: KUBECONFIG, ~/.kube/config, or the pod's own service account)",
  context: "which of its contexts (default: the current one)",
  namespace: "where sandboxes are made (default: that of the context, or default)",
  mode: "what a sandbox is: pod, sandbox or claim, the last two of agent-sandbox; or auto (default: pod)",
  warmPool: "with mode=claim the SandboxWarmPool that sandboxes are taken from",
  reach: "how sandboxes are reached: pod-ip, port-forward; or auto, by where the runtime is (default: auto)",
  image: "what sandboxes are made of where a session names nothing else (default: node:22-bookworm-slim)",
  imagePullSecret: "Secret with which the image is pulled (default: none)",
  programs: "where sandboxes have the daemon and the agents' programs from: upload or image (default: upload)",
  root: "directory inside for all that is brought in and kept, in the volume (default: /sandbox/agent)",
  user: "uid:gid of everything in a sandbox (default: 1000:1000); root is refused",
  cpus: "processors of a sandbox, where a session names nothing else (default: 2)",
  memoryMiB: "memory of a sandbox, in MiB, where a session names nothing else (default: 4096)",
  diskGiB: "size of a sandbox's volume, in GiB (default: 10)",
  volume: "with mode=sandbox: claim, which outlives the pod, or none (default: claim)",
  storageClass: "StorageClass of volumes (default: the cluster's own)",
  runtimeClass: "RuntimeClass of pods, e.g. gvisor or kata (default: the cluster's own)",
  podSpec: "more fields of the pods' spec, e.g. tolerations or nodeSelector (default: none)",
  lifeMs: "how long a sandbox runs on when nobody puts off its end (default: 45 minutes)",
  startTimeoutMs: "how long a sandbox may take until it runs: a node, the image (default: 5 minutes)",
} as const;

/** What a sandbox is in the cluster. */
export type Mode = "pod" | "sandbox" | "claim";

export interface KubernetesSettings {
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  readonly namespace: string | undefined;
  readonly mode: Mode | "auto";
  readonly warmPool: string | undefined;
  readonly reach: "auto" | "pod-ip" | "port-forward";
  readonly image: string;
  readonly imagePullSecret: string | undefined;
  readonly programs: HostedPrograms;
  readonly root: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly cpus: number;
  readonly memoryMiB: number;
  readonly diskGiB: number;
  readonly volume: "claim" | "none";
  readonly storageClass: string | undefined;
  readonly runtimeClass: string | undefined;
  readonly podSpec: Readonly<Record<string, unknown>>;
  readonly lifeMs: number;
  readonly startTimeoutMs: number;
}

type Given = Readonly<Partial<Record<keyof typeof kubernetesSettings, unknown>>>;

export function readKubernetesSettings(given: Given, env?: NodeJS.ProcessEnv): KubernetesSettings {
  const settings = new HostedSettings("kubernetes", given, env);
  const programs = settings.programs("programs");
  const mode = settings.choice("mode", ["pod", "sandbox", "claim", "auto"], "pod");
  const warmPool = settings.text("warmPool");
  if (mode === "claim" && warmPool === undefined)
    throw settings.wrong("mode=claim needs warmPool, the name of a SandboxWarmPool");
  const image = settings.text("image");
  if (programs === "image" && image === undefined && mode !== "claim")
    throw settings.wrong(
      "programs=image needs image, one that has the daemon and the agents and that the cluster can pull",
    );
  return {
    kubeconfig: settings.text("kubeconfig"),
    context: settings.text("context"),
    namespace: settings.text("namespace"),
    mode,
    warmPool,
    reach: settings.choice("reach", ["auto", "pod-ip", "port-forward"], "auto"),
    image: image ?? "node:22-bookworm-slim",
    imagePullSecret: settings.text("imagePullSecret"),
    programs,
    root: rootOf(settings),
    user: userOf(settings),
    cpus: settings.number("cpus", 0.01, 2),
    memoryMiB: settings.number("memoryMiB", 64, 4096),
    diskGiB: settings.number("diskGiB", 1, 10),
    volume: settings.choice("volume", ["claim", "none"], "claim"),
    storageClass: settings.text("storageClass"),
    runtimeClass: settings.text("runtimeClass"),
    podSpec: podSpecOf(given.podSpec, settings),
    lifeMs: settings.number("lifeMs", 1_000, 45 * minute),
    startTimeoutMs: settings.number("startTimeoutMs", 1_000, 5 * minute),
  };
}

type Settings = HostedSettings<keyof typeof kubernetesSettings>;

/** Everybody may write to the directory at which a volume is: what is kept is in one below it. */
function rootOf(settings: Settings): string {
  const root = settings.path("root", "/sandbox/agent");
  if (!/^\/[^/]+\/./.test(root))
    throw settings.wrong(`root is a directory in another one, which the volume is, not ${root}`);
  return root;
}

function userOf(settings: Settings) {
  const user = settings.text("user", "1000:1000");
  const [, uid, gid] = /^([1-9]\d*):(\d+)$/.exec(user) ?? [];
  if (uid === undefined)
    throw settings.wrong(`user is two numbers, uid:gid, and not root's; not ${JSON.stringify(user)}`);
  return { uid: Number(uid), gid: Number(gid) };
}

function podSpecOf(given: unknown, settings: Settings): Readonly<Record<string, unknown>> {
  if (given === undefined) return {};
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw settings.wrong("podSpec is an object with fields of a pod's spec");
  const ours = ["containers", "volumes", "restartPolicy"].filter((name) => Object.hasOwn(given, name));
  if (ours.length > 0) throw settings.wrong(`podSpec has ${ours.join(", ")}, which the provider makes itself`);
  return given as Readonly<Record<string, unknown>>;
}
