import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { parseAst } from 'rolldown/parseAst'
import sharp from 'sharp'
import * as valibot from 'valibot'
import { defineConfig, type Plugin } from 'vite'

/** Lays .br and .gz beside every text file, so that the server never compresses one twice. */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  writeBundle({ dir: folder = '' }) {
    for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|css|svg|webmanifest)$/.test(file)) continue
      const path = join(folder, file)
      const bytes = readFileSync(path)
      writeFileSync(`${path}.br`, brotliCompressSync(bytes))
      writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    }
  },
}

/**
 * The icons that phones ask for, whose systems take no SVG. Those that a system cuts to its own shape are
 * drawn to the edge.
 */
const icons = {
  'icon-192.png': { from: 'mark.svg', size: 192 },
  'icon-512.png': { from: 'mark.svg', size: 512 },
  'icon-maskable-512.png': { from: 'icon.svg', size: 512 },
  'apple-touch-icon.png': { from: 'icon.svg', size: 180 },
}

const draw = ({ from, size }: { from: string; size: number }) => {
  const drawn = sharp(join(import.meta.dirname, 'web/public', from)).resize(size, size)
  return (from === 'icon.svg' ? drawn.removeAlpha() : drawn).png({ palette: true }).toBuffer()
}

const drawnIcons: Plugin = {
  name: 'icons',
  async generateBundle() {
    for (const [fileName, icon] of Object.entries(icons))
      this.emitFile({ type: 'asset', fileName, source: await draw(icon) })
  },
  configureServer({ middlewares }) {
    for (const [fileName, icon] of Object.entries(icons))
      middlewares.use(`/${fileName}`, (_, response, next) => {
        draw(icon).then((bytes) => response.setHeader('content-type', 'image/png').end(bytes), next)
      })
  },
}

/**
 * Builds the contracts without their schemas and rights: the browser reads only the method and the path of a
 * call, and the server checks the data. Saves 3 kB on every page. Other modules that import valibot get the
 * real one.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id, importer) =>
    ['valibot', '#core/visible-text.ts'].includes(id) && importer?.endsWith('/contract.ts')
      ? '\0no-schemas'
      : null,
  load: (id) =>
    id === '\0no-schemas'
      ? `/* @__NO_SIDE_EFFECTS__ */ function none() { return none }
        none.entries = {}
        export { none as visibleText, ${Object.keys(valibot).map((name) => `none as ${name}`)} }`
      : null,
}

/**
 * The fields of a page's entry that only the server reads: the calls that fill the page, and the functions of
 * their answers.
 */
const serverOnly = ['first', 'picture', 'about', 'canonical']

/**
 * Builds the tables of pages without what only the server reads. A page then no longer brings along the
 * contracts of the features whose pages it does not show.
 */
const pagesForBrowsers: Plugin = {
  name: 'pages-for-browsers',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (id.endsWith('/contract.ts')) return { code: withoutArguments(code), moduleSideEffects: false }
    if (!/\/features\/[^/]+\/pages\.ts$/.test(id)) return null
    const left = propertiesOf(parseAst(code, { lang: 'ts' }))
      .filter(({ key }) => serverOnly.includes(key.name ?? ''))
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ''), code)
    return { code: left, moduleSideEffects: false }
  },
}

/** Cuts all arguments of `endpoint(…)` but the first, which has the method and the path. */
const withoutArguments = (code: string) =>
  callsOf(parseAst(code, { lang: 'ts' }))
    .filter(({ callee, arguments: given }) => callee.name === 'endpoint' && given.length > 1)
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { end, arguments: [first] }) => `${text.slice(0, first!.end)})${text.slice(end)}`, code)

type Call = { start: number; end: number; callee: { name?: string }; arguments: { end: number }[] }
const callsOf = (node: unknown): Call[] => nodesOf(node, 'CallExpression') as Call[]

type Property = { start: number; end: number; key: { name?: string } }
const propertiesOf = (node: unknown) => nodesOf(node, 'Property') as Property[]

/** All nodes of a type in a syntax tree (ESTree). */
function nodesOf(node: unknown, type: string): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap((child) => nodesOf(child, type))
  return 'type' in node && node.type === type ? [node, ...below] : below
}

export default defineConfig({
  root: 'web',
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What several pages share is one file: thirty small ones compress badly, and each is a request.
    rolldownOptions: {
      output: {
        // Every page lists all file names. Hashes do not compress, and six letters tell a file's versions
        // apart.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
        codeSplitting: {
          groups: [
            {
              name: 'kit',
              // Without the web/ folders of the features: their style sheets would load before
              // web/styles.css, which declares the order of the layers. And without parts of forms and
              // dialogs, which lists of posts do not need; nor do they need infinite queries.
              test: /^(?!.*nfiniteQuery(Observer)?\.js).*(?<!features[\\/][\w-]+)[\\/](web(?![\\/]ui[\\/](Confirm|Dialog|Field|PicturePicker|SearchBox|pictures)\.)|lucide-react|valibot|@tanstack)[\\/]|contract\.ts$/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  plugins: [withoutSchemas, pagesForBrowsers, react(), drawnIcons, precompressed],
})
