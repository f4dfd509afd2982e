# docker build -t sandbox-agent . && docker run --rm -p 127.0.0.1:2468:2468 -v sandbox-agent:/data sandbox-agent
ARG NODE_IMAGE=node:20-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
COPY . .
RUN npm ci && npm pack -w packages/cli

FROM ${NODE_IMAGE}
COPY --from=build /build/sandbox-agent-ts-cli-*.tgz /tmp/
RUN npm install --global /tmp/sandbox-agent-ts-cli-*.tgz && rm /tmp/*.tgz \
  && install --directory --owner=node --group=node --mode=700 /data
USER node
WORKDIR /home/node
ENV SANDBOX_AGENT_DATA_DIR=/data
VOLUME /data
EXPOSE 2468
ENTRYPOINT ["sandbox-agent"]
CMD ["server", "--host", "0.0.0.0"]
