import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import sharp from 'sharp'
import { defineConfig, type Plugin } from 'vite'
import { bundleServiceWorkerCode } from '#bin/build-service-worker.ts'
import { chunks } from '#bin/chunks.ts'

/**
 * Writes a .br and a .gz file beside every built script, style sheet, SVG and web manifest, so that the
 * server never has to compress these files.
 */
const precompressed: Plugin = {
  name: 'precompressed',
  apply: 'build',
  writeBundle: {
    // Runs after the other plugins have written their files.
    sequential: true,
    order: 'post',
    async handler({ dir: folder = '' }) {
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      const compress = async (file: string) => {
        const path = join(folder, file)
        const bytes = await readFile(path)
        // The functions with a callback use several cores.
        const [br, gz] = await Promise.all([
          promisify(brotliCompress)(bytes),
          promisify(gzip)(bytes, { level: 9 }),
        ])
        await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
      }
      await Promise.all(files.filter((file) => /\.(js|css|svg|webmanifest)$/.test(file)).map(compress))
    },
  },
}

/**
 * The PNG icons for phones, by file name, each with the SVG file from which it is drawn and its size in
 * pixels. Phones do not support SVG icons. The drawing of a maskable icon fills the whole square.
 */
const icons = {
  'icon-192.png': { from: 'mark.svg', size: 192 },
  'icon-512.png': { from: 'mark.svg', size: 512 },
  'icon-maskable-512.png': { from: 'icon.svg', size: 512 },
  'apple-touch-icon.png': { from: 'icon.svg', size: 180 },
}

/**
 * Lets the browser fetch the style sheets before the scripts, so that a slow connection shows the header of
 * the page after the first few kilobytes. core/http/page-html.ts does the same for the scripts of a view.
 */
const stylesBeforeScripts: Plugin = {
  name: 'styles-before-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
  },
}

const packages = join(import.meta.dirname, 'node_modules')

/** Adds the licence texts of libraries to the build, because these licences demand it. */
const licences: Plugin = {
  name: 'licences',
  apply: 'build',
  generateBundle() {
    const emit = (fileName: string, paths: readonly string[]) => {
      const texts = paths.map((path) => readFileSync(join(packages, path), 'utf8'))
      this.emitFile({ type: 'asset', fileName: `licences/${fileName}`, source: texts.join('\n\n') })
    }
    emit('heic-to.txt', ['heic-to/LICENSE'])
    emit('mediabunny.txt', ['mediabunny/LICENSE'])
    const ofDecoders = readdirSync(join(packages, 'pdfjs-dist/wasm')).filter((name) => /^LICENSE/.test(name))
    emit('pdfjs-dist.txt', [
      'pdfjs-dist/LICENSE',
      'pdfjs-dist/cmaps/LICENSE',
      ...ofDecoders.map((name) => `pdfjs-dist/wasm/${name}`),
    ])
  },
}

/**
 * The files that pdf.js asks for by their names while it draws (features/posts/web/draw-pdf.ts): character
 * maps for Japanese and other texts, and decoders of scanned pages. `version` keeps caches right.
 */
const pdfFiles: Plugin = {
  name: 'pdf-files',
  apply: 'build',
  generateBundle() {
    const { version } = JSON.parse(readFileSync(join(packages, 'pdfjs-dist/package.json'), 'utf8'))
    for (const folder of ['cmaps', 'wasm'])
      for (const name of readdirSync(join(packages, 'pdfjs-dist', folder)))
        if (/^(?!quickjs).*\.(bcmap|wasm)$/.test(name)) {
          const source = readFileSync(join(packages, 'pdfjs-dist', folder, name))
          this.emitFile({ type: 'asset', fileName: `assets/pdf-${version}/${name}`, source })
        }
  },
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
 * Writes the offline page, and builds the service worker after all other files, because it lists them. The
 * style sheet of the offline page begins with the design tokens, so that it needs no other file.
 */
const serviceWorker: Plugin = {
  name: 'service-worker',
  async writeBundle({ dir: folder = '' }) {
    const sources = join(import.meta.dirname, 'web')
    for (const name of ['offline.html', 'offline.js'])
      copyFileSync(join(sources, 'offline', name), join(folder, name))
    const styles = ['ui/tokens.css', 'offline/offline.css'].map((name) => readFileSync(join(sources, name)))
    writeFileSync(join(folder, 'offline.css'), Buffer.concat(styles))
    writeFileSync(join(folder, 'service-worker.js'), await bundleServiceWorkerCode(folder))
  },
  configureServer({ middlewares }) {
    middlewares.use('/service-worker.js', (_, response, next) => {
      bundleServiceWorkerCode(null).then(
        (code) => response.setHeader('content-type', 'text/javascript').end(code),
        next,
      )
    })
  },
}

/**
 * Replaces the icons of lucide-react by what web/ui/Icon.tsx asks for: their shapes, without names and keys,
 * and a component that only draws. This is the only plugin that changes code, and only that of a package:
 * without it, each page has 2 kB more, and four pages exceed their limits. `npm run dev` uses the original.
 */
const plainIcons: Plugin = {
  name: 'plain-icons',
  apply: 'build',
  enforce: 'pre',
  async load(id) {
    if (!/\/lucide-react\/dist\/esm\/(createLucideIcon|icons\/[\w-]+)\.mjs$/.test(id)) return null
    if (id.endsWith('/createLucideIcon.mjs')) return { code: plainIconComponent, moduleSideEffects: false }
    const { __iconData: icon } = await import(id)
    const shapes = icon.node.map(([tag, { key: _, ...shape }]: [string, object & { key: string }]) => [
      tag,
      shape,
    ])
    return {
      code: `import createIcon from '../createLucideIcon.mjs'
        export default /* @__PURE__ */ createIcon(${JSON.stringify(shapes)})`,
      moduleSideEffects: false,
    }
  },
}
const plainIconComponent = `import { createElement } from 'react'
  const look = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' }
  const drawShape = ([tag, attributes]) => createElement(tag, attributes)
  export default (shapes) => (attributes) =>
    createElement('svg', { ...look, ...attributes }, ...shapes.map(drawShape))`

export default defineConfig({
  root: 'web',
  build: {
    outDir: '../dist',
    emptyOutDir: true,
    manifest: true,
    target: ['chrome123', 'edge123', 'firefox125', 'safari17.5'],
    assetsInlineLimit: 0,
    // `npm run sizes` decides about sizes.
    chunkSizeWarningLimit: Number.POSITIVE_INFINITY,
    reportCompressedSize: false,
    // Lists only the style sheets of a view that is loaded later. The names of its scripts would make every
    // page 1 kB larger; the browser finds them in the script of the view.
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')),
    },
    rolldownOptions: {
      checks: { bundlerTimings: false },
      // Reads only the icons that are used, of three thousand.
      experimental: { lazyBarrel: true },
      // Tells the bundler that calls of `forwardRef` have no side effects, so that it leaves out the unused
      // Link of wouter (see web/ui/Link.tsx).
      treeshake: { manualPureFunctions: ['forwardRef'] },
      output: {
        // Shortens the hashes in file names, because every page lists all file names and hashes do not
        // compress. For the same reason, the file names do not contain the names of the modules.
        chunkFileNames: 'assets/[hash:7].js',
        assetFileNames: 'assets/[hash:7][extname]',
        codeSplitting: { groups: chunks },
      },
    },
  },
  // Uses the useSyncExternalStore of React instead of the replacement for React 17 that wouter imports.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim.*/, replacement: 'react' }] },
  plugins: [
    licences,
    pdfFiles,
    stylesBeforeScripts,
    plainIcons,
    react(),
    drawnIcons,
    serviceWorker,
    precompressed,
  ],
})
