# Team Chat Service on one machine; docs/one-machine.md says how it is run.

# Builds the service, the web client and the list of what ships, with all tools.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build:local && npm run sbom

# Holds what runs, and no tools.
FROM node:24.21.0-bookworm-slim
LABEL org.opencontainers.image.title="Team Chat Service" \
      org.opencontainers.image.description="The service in one process, with its data in /data" \
      org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=9991 DATA_DIR=/data MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
# The library for pictures, and the viewer of the API page: both are read from their own files.
COPY --from=build /app/node_modules/wasm-vips ./node_modules/wasm-vips
COPY --from=build /app/node_modules/swagger-ui-dist ./node_modules/swagger-ui-dist
# The list of packages with their licences, in CycloneDX.
COPY --from=build /app/dist/sbom.json /app/package.json /app/LICENSE ./
# The command, and the service and the web client as they were built.
COPY --from=build /app/infra/local/serve-built.ts /app/infra/local/built.ts ./infra/local/
COPY --from=build /app/dist/local ./dist/local
COPY --from=build /app/dist/web ./dist/web
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME ["/data"]
EXPOSE 9991
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "infra/local/serve-built.ts"]
