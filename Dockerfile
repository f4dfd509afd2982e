# The daemon, for `docker run` and as the image of a runtime's sandboxes (docs/sandboxes.mdx, docs/deploy.mdx).
#   docker build -t sandbox-agent --build-arg AGENTS="claude codex" .
ARG NODE_IMAGE=node:20-slim

FROM ${NODE_IMAGE} AS build
# `built`: take what `npm run build` has made outside, so that neither npm nor a network is needed here.
ARG BUNDLE=build
WORKDIR /build
COPY . .
RUN if [ "$BUNDLE" = build ]; then npm ci && npm run build -- --cli --ui; fi \
  && mkdir -p /image/opt/sandbox-agent /image/usr/local/bin \
  && cd packages/cli/dist \
  && cp -R sandbox-agent.cjs parts ui THIRD-PARTY-NOTICES.txt /image/opt/sandbox-agent/ \
  && printf '#!/bin/sh\nexec node /opt/sandbox-agent/sandbox-agent.cjs "$@"\n' > /image/usr/local/bin/sandbox-agent \
  && chmod 755 /image/usr/local/bin/sandbox-agent \
  && chmod -R a+rX /image/opt

FROM ${NODE_IMAGE}
COPY --from=build /image/opt/ /opt/
COPY --from=build /image/usr/local/bin/ /usr/local/bin/
# Programs of agents, to be had by everybody and changed by nobody.
ARG AGENTS=""
RUN mkdir -p /opt/sandbox-agent-programs /data/programs /home/agent \
  && if [ -n "$AGENTS" ]; then \
    HOME=/tmp/build sandbox-agent install-agent --data-dir /tmp/build $AGENTS \
    && cp -R /tmp/build/programs/. /opt/sandbox-agent-programs/ \
    && chmod -R a+rX /opt/sandbox-agent-programs \
    && for program in /opt/sandbox-agent-programs/*; do ln -s "$program" /data/programs/; done; \
  fi \
  && rm -rf /tmp/build && chown -R 1000:1000 /data /home/agent && chmod 700 /data
LABEL sandbox-agent.bundle=/opt/sandbox-agent
USER 1000:1000
WORKDIR /home/agent
ENV HOME=/home/agent SANDBOX_AGENT_DATA_DIR=/data
VOLUME /data
EXPOSE 2468
ENTRYPOINT ["sandbox-agent"]
CMD ["server", "--host", "0.0.0.0"]
