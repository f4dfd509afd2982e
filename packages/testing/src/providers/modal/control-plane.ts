import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { GrpcError, type GrpcMethod, methodsOf } from "./grpc-server.ts";
import * as messages from "./messages.ts";
import type { ModalSandbox } from "./modal-sandbox.ts";
import type { ModalSandboxes } from "./modal-sandboxes.ts";
import type { ServiceAccess } from "./service-access.ts";

export interface ControlPlaneOptions {
  readonly sandboxes: ModalSandboxes;
  readonly access: ServiceAccess;
  /** Where a port of a sandbox is reached with a token that this answers, too. */
  connect(sandbox: ModalSandbox, port: number): Promise<{ readonly url: string; readonly token: string }>;
}

const newId = (prefix: string) => `${prefix}-${randomBytes(11).toString("hex")}`;
/** The only one there is, with the credentials of a registry. */
const knownSecret = "registry";
const builderVersion = "2025.06";

/** The part of `modal.client.ModalClient` that is about sandboxes, for the kind that the SDK calls V2. */
export function controlPlane({ sandboxes, access, connect }: ControlPlaneOptions): readonly GrpcMethod[] {
  const method = access.checked(methodsOf("modal.client.ModalClient"));
  const apps = new Map<string, string>();
  const images = new Map<string, string>();

  const idOf = (ids: Map<string, string>, key: string, prefix: string) => {
    const id = ids.get(key) ?? newId(prefix);
    ids.set(key, id);
    return id;
  };
  const fromName = async ({ message: { appName, name } }: { message: { appName: string; name: string } }) => ({
    sandboxId: sandboxes.named(appName, name, apps).id,
  });

  return [
    method("AuthTokenGet", "auth", messages.authTokenGet, async () => ({ token: access.authToken() })),
    method("EnvironmentGetOrCreate", "environment", messages.environmentGetOrCreate, async ({ message }) => ({
      id: "en-main",
      metadata: { name: message.name || "main", settings: { imageBuilderVersion: builderVersion } },
    })),
    method("SecretGetOrCreate", "secret", messages.secretGetOrCreate, async ({ message: { name } }) => {
      if (name !== knownSecret) throw new GrpcError("notFound", `There is no secret ${name}.`);
      return { secretId: "st-registry" };
    }),
    method("AppGetOrCreate", "app", messages.appGetOrCreate, async ({ message: { name, creation } }) => {
      if (creation === 0 && !apps.has(name)) throw new GrpcError("notFound", `There is no app ${name}.`);
      return { appId: idOf(apps, name, "ap") };
    }),
    method("ImageGetOrCreate", "image", messages.imageGetOrCreate, async ({ message: { image } }) => ({
      imageId: idOf(images, JSON.stringify([image?.dockerfileCommands, image?.baseImages]), "im"),
      result: { status: messages.resultStatus.success },
    })),
    method("ImageFromId", "image", messages.imageFromId, async ({ message: { imageId } }) => {
      if (![...images.values()].includes(imageId)) throw new GrpcError("notFound", `There is no image ${imageId}.`);
      return { imageId };
    }),
    method("SandboxCreateV2", "create", messages.sandboxCreate, async ({ message }) => {
      if (![...apps.values()].includes(message.appId))
        throw new GrpcError("notFound", `There is no app ${message.appId}.`);
      const { imageId = "" } = message.definition ?? {};
      if (![...images.values()].includes(imageId)) throw new GrpcError("notFound", `There is no image ${imageId}.`);
      const sandbox = await sandboxes.create(message);
      const { id: sandboxId, taskId } = sandbox;
      return { sandboxId, taskId, tunnels: await tunnelsOf(sandbox), routerAccess: access.routerAccess(taskId) };
    }),
    method("SandboxWaitV2", "get", messages.sandboxWait, async ({ message: { sandboxId, timeout } }) => {
      const sandbox = sandboxes.find(sandboxId);
      if (timeout > 0) await Promise.race([sandbox.ended, delay(timeout * 1000, undefined, { ref: false })]);
      return { result: sandbox.result };
    }),
    method("SandboxTerminateV2", "destroy", messages.sandboxTerminate, async ({ message: { sandboxId } }) => {
      const existingResult = sandboxes.find(sandboxId).result;
      await sandboxes.terminate(sandboxId);
      return { existingResult };
    }),
    method("SandboxGetTaskIdV2", "task", messages.sandboxGetTaskId, async ({ message: { sandboxId } }) => {
      const { result, taskId } = sandboxes.find(sandboxId);
      return result ? { taskResult: result } : { taskId };
    }),
    method("SandboxGetCommandRouterAccess", "access", messages.sandboxGetCommandRouterAccess, async ({ message }) =>
      access.routerAccess(sandboxes.running(message.sandboxId).taskId),
    ),
    method("SandboxGetTunnelsV2", "endpoint", messages.sandboxGetTunnels, async ({ message: { sandboxId } }) => ({
      tunnels: await tunnelsOf(sandboxes.running(sandboxId)),
    })),
    method("SandboxCreateConnectTokenV2", "endpoint", messages.sandboxCreateConnectToken, ({ message }) =>
      connect(sandboxes.running(message.sandboxId), message.port),
    ),
    method("SandboxTagsGetV2", "tags", messages.sandboxTagsGet, async ({ message: { sandboxId } }) => ({
      tags: sandboxes.find(sandboxId).wish.tags,
    })),
    method("SandboxListV2", "list", messages.sandboxList, async ({ message }) => ({
      sandboxes: sandboxes
        .list(message)
        .map(({ id, createdAt, wish: { appId, tags } }) => ({ id, createdAt, appId, tags })),
    })),
    // The SDK asks for one of either kind, one after the other.
    method("SandboxGetFromNameV2", "name", messages.sandboxGetFromName, fromName),
    method("SandboxGetFromName", "name", messages.sandboxGetFromName, fromName),
  ];
}

/** As at Modal the addresses are said to speak TLS; on loopback they do not. */
async function tunnelsOf({ box, wish }: ModalSandbox) {
  const ports = wish.definition?.openPorts?.ports ?? [];
  return Promise.all(
    ports.map(async ({ port: containerPort, unencrypted }) => {
      const port = await box.publish(containerPort);
      const place = { host: "127.0.0.1", port, containerPort };
      return unencrypted ? { ...place, unencryptedHost: "127.0.0.1", unencryptedPort: port } : place;
    }),
  );
}
