import { randomBytes } from "node:crypto";
import { GrpcError, type methodsOf } from "./grpc-server.ts";

const tokenSeconds = 20 * 60;

type MethodMaker = ReturnType<typeof methodsOf>;

/** Who may call: the account's own tokens at the control plane, and one for each task at the command router. */
export class ServiceAccess {
  readonly tokenId = `ak-${randomBytes(11).toString("hex")}`;
  readonly tokenSecret = `as-${randomBytes(11).toString("hex")}`;
  /** Where the command router is; set when the server listens. */
  port = 0;
  readonly #key = randomBytes(16).toString("hex");

  /** A JWT as far as the SDK looks at it. */
  authToken(): string {
    return this.#sign({ account: this.tokenId });
  }

  /** The SDK takes only https for it, and speaks plain text all the same where the control plane is on this machine. */
  routerAccess(taskId: string) {
    return { jwt: this.#sign({ taskId }), url: `https://127.0.0.1:${this.port}` };
  }

  /** Methods of the control plane that answer only to the account. */
  checked(method: MethodMaker): MethodMaker {
    return (name, faultName, types, handle) =>
      method(name, faultName, types, (call) => {
        const { "x-modal-token-id": id, "x-modal-token-secret": secret } = call.headers;
        if (id !== this.tokenId || secret !== this.tokenSecret)
          throw new GrpcError("unauthenticated", "Token ID is malformed or does not exist.");
        return handle(call);
      });
  }

  checkTask(authorization: string | undefined, taskId: string): void {
    const [header, payload, signature] = (authorization ?? "").replace(/^Bearer /, "").split(".");
    const known = header !== undefined && payload !== undefined && signature === this.#key;
    const claims = known ? (JSON.parse(Buffer.from(payload, "base64url").toString()) as { taskId?: string }) : {};
    if (claims.taskId !== taskId) throw new GrpcError("unauthenticated", "The token is not for this task.");
  }

  #sign(claims: object): string {
    const exp = Math.floor(Date.now() / 1000) + tokenSeconds;
    const [header, payload] = [{ alg: "none" }, { ...claims, exp }].map((part) =>
      Buffer.from(JSON.stringify(part)).toString("base64url"),
    );
    return `${header}.${payload}.${this.#key}`;
  }
}
