# syntax=docker/dockerfile:1
# The service alone: production dependencies, the compiled code, the built console. The tools in
# scripts/ and the local engine stay outside.
FROM node:20-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --omit=dev --no-audit --no-fund

FROM dependencies AS build
RUN npm install --include=dev --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json console.config.ts ./
COPY src src
COPY sagas sagas
RUN npm run build

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080
WORKDIR /app
COPY package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
USER node
EXPOSE 8080
# Where TLS files are set, whoever runs the image checks https:// instead.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "dist/src/main.js"]
