import { createHash } from 'node:crypto'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'rolldown'

const root = join(import.meta.dirname, '..')

/** The names of the files of the offline page. These names contain no hash. */
const offlineFiles = ['offline.html', 'offline.css', 'offline.js', 'mark.svg']
/**
 * The maximum size, in bytes, of a file that the service worker stores for later. It excludes the decoder of
 * HEIC photos and pdf.js, which are larger than all other scripts together, and which few members need.
 */
const MAX_FILE_SIZE = 400_000

/**
 * Returns the files in the folder of the built pages that the service worker stores: those of the offline
 * page with a hash of their content, and the URL paths of scripts and styles.
 */
const listFiles = (folder: string) => ({
  offline: offlineFiles.map((name) => ({ url: `/${name}`, revision: hashOf(join(folder, name)) })),
  version: readdirSync(join(folder, 'assets'))
    .filter((name) => /\.(js|css)$/.test(name))
    .filter((name) => statSync(join(folder, 'assets', name)).size <= MAX_FILE_SIZE)
    .sort()
    .map((name) => `/assets/${name}`),
})

const hashOf = (path: string) =>
  createHash('sha256').update(readFileSync(path)).digest('base64url').slice(0, 10)

const ENTRY = 'service-worker-entry'
/**
 * A Rolldown plugin that makes the entry module of the service worker: it imports web/service-worker.js and
 * the service worker parts of the features.
 */
const allParts: Plugin = {
  name: 'all-parts',
  resolveId: (id) => (id === ENTRY ? join(root, ENTRY) : null),
  load: (id) =>
    id === join(root, ENTRY)
      ? ['web/service-worker.js', ...globSync('features/*/web/*-worker.js', { cwd: root })]
          .map((path) => `import ${JSON.stringify(`./${path}`)}`)
          .join('\n')
      : null,
}

/**
 * Returns the code of the service worker as one script. `folder` has the built pages whose files the service
 * worker stores; if it is null, as in development, the service worker stores none.
 */
export async function bundleServiceWorkerCode(folder: string | null) {
  const { offline, version } = folder ? listFiles(folder) : { offline: [], version: [] }
  const { output } = await build({
    cwd: root,
    input: ENTRY,
    plugins: [allParts],
    write: false,
    transform: {
      define: {
        'self.__OFFLINE_FILES': JSON.stringify(offline),
        'self.__VERSION_FILES': JSON.stringify(version),
        'process.env.NODE_ENV': JSON.stringify(folder ? 'production' : 'development'),
      },
    },
    output: { format: 'iife', minify: folder !== null },
  })
  return output[0].code
}
