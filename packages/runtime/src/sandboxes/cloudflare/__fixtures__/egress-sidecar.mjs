// Stands in for the container that workerd puts beside each container of a Worker: `cloudflare/proxy-everything`, which is in
// a registry. workerd reaches ports of the container through it, because both have one network.
import { createServer } from "node:http";
import { connect } from "node:net";

const ingressPort =
  Number(process.argv[process.argv.indexOf("--http-ingress-address") + 1]?.split(":").at(-1)) || 39_001;

createServer((_request, response) => response.end())
  .on("connect", ({ url }, client) => {
    const [host, port] = url.split(":");
    const target = connect(Number(port), host);
    target.once("connect", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.pipe(target).pipe(client);
    });
    target.once("error", () => client.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    client.once("error", () => target.destroy());
    client.once("close", () => target.destroy());
    target.once("close", () => client.destroy());
  })
  .listen(ingressPort, "0.0.0.0");
