import type { ProviderCheck } from "../sandbox-provider.ts";
import type { DockerEngine } from "./docker-engine.ts";
import type { DockerSettings } from "./docker-settings.ts";
import { findImage } from "./image.ts";
import { ensureNetwork } from "./internal-network.ts";

interface EngineInfo {
  readonly ServerVersion: string;
  readonly OSType: string;
  readonly MemoryLimit: boolean;
  readonly SwapLimit: boolean;
  readonly PidsLimit: boolean;
  readonly CpuCfsQuota: boolean;
  readonly InitBinary: string;
  readonly SecurityOptions: readonly string[] | null;
}

/** What an engine is able to do, and what to do where it is not. */
export async function checkEngine(engine: DockerEngine, settings: DockerSettings): Promise<readonly ProviderCheck[]> {
  let info: EngineInfo;
  try {
    info = await engine.call<EngineInfo>("GET", "/info");
  } catch (error) {
    return [{ name: "engine", ok: false, detail: (error as Error).message }];
  }
  const isLinux = info.OSType === "linux";
  const detail = isLinux
    ? `Docker ${info.ServerVersion} answers at ${settings.host}.`
    : `The engine runs ${info.OSType} containers; switch it to Linux containers.`;
  return [
    { name: "engine", ok: isLinux, detail },
    await attempt("image", async () => {
      await findImage(engine, settings.image, settings.programs);
      return `Sandboxes are made from ${settings.image}.`;
    }),
    await attempt("network", async () => {
      const { name, isInternal } = await ensureNetwork(engine, settings.network);
      return `Sandboxes are on the network ${name}${isInternal ? ", which has no way out" : ""}.`;
    }),
    checkIsolation(info),
    checkLimits(info),
  ];
}

async function attempt(name: string, look: () => Promise<string>): Promise<ProviderCheck> {
  try {
    return { name, ok: true, detail: await look() };
  } catch (error) {
    return { name, ok: false, detail: (error as Error).message };
  }
}

function checkIsolation({ SecurityOptions }: EngineInfo): ProviderCheck {
  const ok = (SecurityOptions ?? []).some((option) => option.includes("seccomp"));
  const detail = ok
    ? "Containers have no rights, a read-only root and the engine's system call filter."
    : "The engine has no seccomp: containers may use every system call. Use a kernel and an engine with seccomp.";
  return { name: "isolation", ok, detail };
}

function checkLimits(info: EngineInfo): ProviderCheck {
  const wanted = { memory: info.MemoryLimit, processes: info.PidsLimit, "CPU time": info.CpuCfsQuota };
  const missing = Object.entries(wanted).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  if (missing.length > 0) {
    const detail = `The engine cannot limit these: ${missing.join(", ")}. Enable their control groups in the kernel.`;
    return { name: "limits", ok: false, detail };
  }
  const swap = info.SwapLimit
    ? ""
    : " Swap is not limited: start the kernel with swapaccount=1 if the machine has any.";
  return { name: "limits", ok: true, detail: `Memory, processes and CPU time of a sandbox are limited.${swap}` };
}
