// The files in deploy/ and the Dockerfile, as far as they can be checked without running them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findTool, output, ROOT } from './tools.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const systemd = findTool('systemd-analyze');
const kubernetes = findTool('kubernetes-validate');
const hadolint = findTool('hadolint');

describe('docs/deploy.md', () => {
  it.each(['deploy/tagloom.service', 'deploy/nginx.conf'])('shows %s as it is', (path) => {
    const blocks = [...read('docs/deploy.md').matchAll(/```(?:ini|nginx)\n(.*?)```/gs)].map(([, text]) => text);
    expect(blocks).toContain(read(path));
  });

  it('names every file of deploy/ and no other', () => {
    const named = [...read('docs/deploy.md').matchAll(/(?<!test\/)\bdeploy\/([\w-]+\.\w+)/g)].map(([, name]) => name);
    const expected = ['kubernetes.yaml', 'nginx.conf', 'tagloom.service'];
    expect([...new Set(named)].sort()).toEqual(expected);
  });
});

describe('the systemd unit', () => {
  it.skipIf(!systemd)('passes systemd-analyze verify', () => {
    expect(output(systemd ?? '', ['verify', join(ROOT, 'deploy/tagloom.service')])).toBe('');
  });

  it('leaves the service longer to stop than it takes, and lets Node compile', () => {
    const unit = read('deploy/tagloom.service');
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(10);
    expect(unit).not.toMatch(/^MemoryDenyWriteExecute=/m);
  });
});

describe('the Kubernetes manifest', () => {
  const manifest = read('deploy/kubernetes.yaml');

  it.skipIf(!kubernetes)('fits the schemas of Kubernetes, without unknown fields', () => {
    const path = join(ROOT, 'deploy/kubernetes.yaml');
    output(kubernetes ?? '', ['--strict', path]);
    expect(manifest.match(/^kind: /gm)).toHaveLength(3);
  });

  it('agrees with the image on the port, the user and the folder that is written to', () => {
    const image = read('Dockerfile');
    expect(image).toContain('EXPOSE 8080\n');
    expect(manifest).toContain('containerPort: 8080');
    expect(image).toMatch(/^USER 1000(:1000)?$/m);
    expect(manifest).toMatch(/runAsUser: 1000\b/);
    expect(image).toContain('VOLUME /data');
    expect(manifest).toContain('mountPath: /data');
    expect(image).toContain("fetch('http://127.0.0.1:8080/healthz')");
    expect(manifest.match(/path: \/(healthz|readyz), port: http/g)).toHaveLength(3);
  });

  it('never runs two pods on one folder of reviews', () => {
    expect(manifest).toMatch(/replicas: 1\b/);
    expect(manifest).toContain('type: Recreate');
  });
});

describe('the Dockerfile', () => {
  it.skipIf(!hadolint)('passes hadolint', () => {
    expect(output(hadolint ?? '', [join(ROOT, 'Dockerfile')])).toBe('');
  });

  it('installs what the lock file lists, and takes everything along that the package has', () => {
    const image = read('Dockerfile');
    expect(image).toMatch(/^RUN npm ci /m);
    const { files } = JSON.parse(read('package.json')) as { files: string[] };
    for (const folder of files.filter((path) => !/[!.]/.test(path))) {
      expect(image).toContain(`COPY --from=build /tagloom/${folder} ${folder}\n`);
    }
  });
});
