import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
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
          groups: [{ name: 'kit', test: /[\\/](web|lucide-react|valibot|@tanstack)[\\/]|contract\.ts$/, minShareCount: 3 }],
        },
      },
    },
  },
  plugins: [react(), precompressed],
})
