import { openBoxHost } from "../box/box-host.ts";
import type { ProviderService, ServiceOptions } from "../provider-service.ts";
import { commandRouter } from "./command-router.ts";
import { ConnectProxy } from "./connect-proxy.ts";
import { controlPlane } from "./control-plane.ts";
import { GrpcServer } from "./grpc-server.ts";
import { sandboxOf } from "./modal-sandbox.ts";
import { ModalSandboxes } from "./modal-sandboxes.ts";
import { ServiceAccess } from "./service-access.ts";

/**
 * One address for both services, the control plane and the command router. The SDK reads it, and where its configuration is,
 * from the environment: `env` is to be there before a client is made.
 */
export async function startModalService(options: ServiceOptions = {}): Promise<ProviderService> {
  const access = new ServiceAccess();
  const host = await openBoxHost();
  const sandboxes = new ModalSandboxes(host, options);
  const grpc = new GrpcServer({
    methods: [
      ...controlPlane({
        sandboxes,
        access,
        async connect(sandbox, port) {
          sandbox.proxy ??= ConnectProxy.open(sandbox.box, grpc.faults);
          const proxy = await sandbox.proxy;
          return { url: proxy.url, token: proxy.tokenFor(port || defaultConnectPort) };
        },
      }),
      ...commandRouter(sandboxes, access),
    ],
    secretHeaders: ["x-modal-token-id", "x-modal-token-secret", "x-modal-auth-token", "authorization"],
    machineOf: ({ sandboxId, taskId }) =>
      typeof sandboxId === "string" ? sandboxId : typeof taskId === "string" ? sandboxOf(taskId) : undefined,
    onRequest: options.onRequest,
  });
  try {
    await grpc.listen(options.port);
  } catch (error) {
    await host.close();
    throw error;
  }
  access.port = grpc.port;
  const { tokenId, tokenSecret } = access;
  const url = `http://127.0.0.1:${grpc.port}`;
  return {
    name: "modal",
    settings: { tokenId, tokenSecret, serverUrl: url },
    env: {
      MODAL_SERVER_URL: url,
      MODAL_TOKEN_ID: tokenId,
      MODAL_TOKEN_SECRET: tokenSecret,
      MODAL_CONFIG_PATH: "/dev/null",
    },
    boxes: host.boxes,
    faults: grpc.faults,
    ledger: sandboxes.ledger,
    requests: grpc.requests,
    lose: (id) => sandboxes.lose(id),
    expire: (id) => sandboxes.expire(id),
    async move(id) {
      (await sandboxes.running(id).proxy)?.revoke();
    },
    async close() {
      await sandboxes.close();
      await grpc.close();
      await host.close();
    },
  };
}

const defaultConnectPort = 8080;
