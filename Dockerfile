# The daemon, for `docker run` and as the image of a runtime's sandboxes (docs/sandboxes.mdx, docs/deploy.mdx).
#   docker build -t sandbox-agent --build-arg AGENTS="claude codex" .
# Made by `npm run gen`; do not edit.
ARG NODE_IMAGE=node:20-slim

FROM ${NODE_IMAGE} AS build
# `built`: take what `npm run build` has made outside, so that neither npm nor a network is needed here.
ARG BUNDLE=build
WORKDIR /build
COPY . .
RUN if [ "$BUNDLE" = build ]; then npm ci && npm run build -- --cli --ui; fi
# Packages that .agent-cache has are not fetched.
ENV BUNDLE_DIR=/build/packages/cli/dist SANDBOX_AGENT_CACHE_DIR=/build/.agent-cache
ARG AGENTS=""
ARG SANDBOX_AGENT_NPM_REGISTRY=""
RUN DESTDIR=/image sh deploy/images/install.sh $AGENTS

FROM ${NODE_IMAGE}
COPY --from=build /image/opt/ /opt/
COPY --from=build /image/usr/local/bin/ /usr/local/bin/
RUN mkdir -p /data/programs /home/agent \
  && for program in /opt/sandbox-agent-programs/*; do if [ -d "$program" ]; then ln -s "$program" /data/programs/; fi; done \
  && chown -R 1000:1000 /data /home/agent && chmod 700 /data
LABEL sandbox-agent.bundle=/opt/sandbox-agent
USER 1000:1000
WORKDIR /home/agent
ENV HOME=/home/agent SANDBOX_AGENT_DATA_DIR=/data
VOLUME /data
EXPOSE 2468
ENTRYPOINT ["sandbox-agent"]
CMD ["server", "--host", "0.0.0.0"]
