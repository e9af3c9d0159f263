import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { OperatorError } from '#core/config.ts'

export interface Frontend {
  html(url: string): Promise<string> | string
  /**
   * Returns the scripts and styles that a page fetches for a view, such as `posts/PostListPage`, in
   * addition to those of all pages.
   */
  assetsOf(view: string): { scripts: readonly string[]; styles: readonly string[] }
  /** The path of the folder of static files; null if another server serves them. */
  folder: string | null
  /** The version of the pages: a hash of the names of all files, which contain hashes of their content. */
  version: string
}

/** The path, in the folder of the build, of the file that lists all files of the build. Vite writes it. */
const VITE_MANIFEST = '.vite/manifest.json'

interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
}

/** Matches the script and style files of the build in index.html. */
const ASSETS_IN_HTML = /(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g

/**
 * Reads which scripts and styles every page loads (`entry`: those in index.html), and which further ones each
 * view loads (from the manifest of the build). Throws OperatorError if nothing is built.
 */
export function readAssets(folder: string) {
  const manifest = join(folder, VITE_MANIFEST)
  const indexHtml = join(folder, 'index.html')
  if (![indexHtml, manifest].every((file) => existsSync(file)))
    throw new OperatorError('The pages are not built: run `npm run build`.')
  const chunks = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, Chunk>
  const withImports = (name: string, seen = new Set<string>()): Set<string> => {
    if (!chunks[name] || seen.has(name)) return seen
    seen.add(name)
    for (const imported of chunks[name].imports ?? []) withImports(imported, seen)
    return seen
  }
  const entry = [...readFileSync(indexHtml, 'utf8').matchAll(ASSETS_IN_HTML)].map(([, file]) => file!)
  const isStyle = (file: string) => file.endsWith('.css')
  const byKind = (files: readonly string[]) => ({
    scripts: files.filter((file) => !isStyle(file)),
    styles: files.filter(isStyle),
  })
  const filesOf = (name: string) =>
    [chunks[name]!.file, ...(chunks[name]!.css ?? [])].map((file) => `/${file}`)
  return {
    entry: byKind(entry),
    assetsOf(view: string) {
      const names = withImports(`../features/${view.replace('/', '/web/')}.tsx`)
      // Leaves out the files in index.html, because a browser applies a style sheet twice if it is linked
      // twice.
      return byKind([...names].flatMap(filesOf).filter((file) => !entry.includes(file)))
    },
  }
}

/** Reads the front end that `vite build` wrote to `folder`. Throws OperatorError if nothing is built. */
export function loadFrontend(folder: string): Frontend {
  const { assetsOf } = readAssets(folder)
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
  const hash = createHash('sha256').update(readFileSync(join(folder, VITE_MANIFEST)))
  return { html: () => html, folder, assetsOf, version: hash.digest('base64url').slice(0, 10) }
}

/** The name of the header of all responses with the version of the pages. web/new-version.ts reads it. */
const PAGES_VERSION_HEADER = 'x-pages-version'

/**
 * Adds the version of the pages to all responses, so that an open window learns from any response that the
 * server has been updated.
 */
export const addPagesVersion = (app: FastifyInstance, { version }: Frontend) =>
  app.addHook('onRequest', (_, reply, next) => {
    reply.header(PAGES_VERSION_HEADER, version)
    next()
  })
