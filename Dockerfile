# The service as an image: docker build -t tagloom . && docker run -p 8080:8080 -v "$PWD:/data" tagloom
# See docs/deploy.md.

FROM node:20-slim AS build
WORKDIR /tagloom
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:20-slim
ENV NODE_ENV=production
WORKDIR /tagloom
COPY --from=build /tagloom/package.json /tagloom/LICENSE ./
COPY --from=build /tagloom/node_modules node_modules
COPY --from=build /tagloom/dist dist
COPY --from=build /tagloom/data data
RUN mkdir /data && chown 1000:1000 /data
# the user node, as a number: Kubernetes cannot tell that a name is not root
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/tagloom/dist/cli.js"]
CMD ["serve", "/data/model.tagloom", "--host", "0.0.0.0", "--log"]
