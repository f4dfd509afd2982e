import { KubernetesService } from "../../../../../testing/src/providers/kubernetes/kubernetes-service.ts";
import type { FaultUnderTest, HostedScenario, ServiceUnderTest } from "../../hosted/contract/hosted-under-test.ts";
import { provider } from "../index.ts";

/** Pods. */
export const scenario: HostedScenario = {
  can: { suspend: false, snapshot: false, extend: true, network: false, isolation: true },
  leftOut: { moved: "a pod keeps its address as long as it is there" },
  start: (live) => start(live, "pod"),
  live: ["KUBECONFIG"],
  open: (options) => provider.create(options),
};

/** Sandboxes of agent-sandbox, with a volume that outlives their pods. */
export const sandboxScenario: HostedScenario = {
  ...scenario,
  can: { ...scenario.can, suspend: "disk" },
  start: (live) => start(live, "sandbox"),
};

async function start(live: boolean, mode: "pod" | "sandbox") {
  if (live) return { settings: { mode } };
  const service = await KubernetesService.start();
  return { settings: { ...service.settings, mode }, service: serviceUnderTest(service) };
}

/** Connections to ports are kept: who is to meet a fault has to make new ones. */
function serviceUnderTest(service: KubernetesService): ServiceUnderTest {
  const { faults, env, ledger, requests } = service;
  return {
    env,
    ledger,
    requests,
    get boxes() {
      return service.boxes;
    },
    faults: {
      plan(plan: FaultUnderTest) {
        faults.plan(plan);
        if (plan.call === "port") service.breakStreams();
      },
      get happened() {
        return faults.happened;
      },
      get hanging() {
        return faults.hanging;
      },
      clear: () => faults.clear(),
    },
    lose: (id) => service.lose(id),
    expire: (id) => service.expire(id),
    close: () => service.close(),
  };
}
