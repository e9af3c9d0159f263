import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
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

/** The icons that phones ask for, whose systems take no SVG. Those that a system cuts to its own shape are drawn to the edge. */
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
 * Builds the contracts without their schemas: the browser reads only the method and the path of a call, and the
 * server checks the data. Saves 2 kB on every page. Other modules that import valibot get the real one.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id, importer) =>
    id === 'valibot' && importer?.endsWith('/contract.ts') ? '\0no-schemas' : null,
  load: (id) =>
    id === '\0no-schemas'
      ? `const none = Object.assign(() => none, { entries: {} })
        export { ${Object.keys(valibot).map((name) => `none as ${name}`)} }`
      : null,
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
        codeSplitting: {
          groups: [
            {
              name: 'kit',
              // Without the web/ folders of the features: their style sheets would load before web/styles.css,
              // which declares the order of the layers.
              test: /(?<!features[\\/][\w-]+)[\\/](web|lucide-react|valibot|@tanstack)[\\/]|contract\.ts$/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  plugins: [withoutSchemas, react(), drawnIcons, precompressed],
})
