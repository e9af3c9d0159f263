# Builds the package with npm pack, and installs it. The build tools are not part of the final image. The package
# is the same for every processor, so an image for another one builds it on the processor of this machine.
FROM --platform=$BUILDPLATFORM node:24.11.0-bookworm-slim AS pack
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY bin/setup.js bin/fingerprint.js bin/
RUN node bin/setup.js install
COPY . .
RUN npm pack --pack-destination /tmp

FROM node:24.11.0-bookworm-slim AS build
COPY --from=pack /tmp/engawa-*.tgz /tmp/
RUN npm install --prefix /app --omit=dev /tmp/engawa-*.tgz \
 && rm -rf /app/node_modules/node-*/include /app/node_modules/node-*/share /app/node_modules/node-*/CHANGELOG.md \
 && mkdir /data

FROM debian:12.12-slim
LABEL org.opencontainers.image.source=https://github.com/engawa-social/engawa \
      org.opencontainers.image.licenses=MIT
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
COPY --from=build --chown=10001:10001 --chmod=700 /data /data
ENV PATH=/app/node_modules/.bin:$PATH NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 3000
# Uses bash only: starting Node every ten seconds for the check costs more than a percent of a core.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENTRYPOINT ["/app/node_modules/.bin/engawa"]
