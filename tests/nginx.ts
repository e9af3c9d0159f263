import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes two files into `folder`: a copy of deploy/nginx.conf, changed so that nginx listens on `port` and
 * passes requests to `upstreams` (each as `127.0.0.1:3000`), and a small nginx.conf that includes this copy.
 * Returns the command-line arguments with which nginx runs in the foreground.
 */
export async function writeNginxConfig(folder: string, port: number, upstreams: readonly string[]) {
  const given = await readFile(join(import.meta.dirname, '../deploy/nginx.conf'), 'utf8')
  const site = given
    .replace(/^(\s*server )127\.0\.0\.1:3000(.*)$/m, (_, before, after) =>
      upstreams.map((to) => before + to + after).join('\n'),
    )
    .replace('listen 80;', `listen 127.0.0.1:${port};`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${folder}/${name};`)
    .join('\n')
  await writeFile(join(folder, 'site.conf'), site)
  await writeFile(
    join(folder, 'nginx.conf'),
    `${process.getuid?.() === 0 ? 'user root;' : ''} daemon off; pid ${folder}/pid; events {}
http { access_log off; ${temporary} include site.conf; }`,
  )
  return ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr']
}
