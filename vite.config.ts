import { copyFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { parseAst } from 'rolldown/parseAst'
import sharp from 'sharp'
import * as valibot from 'valibot'
import { defineConfig, type Plugin } from 'vite'
import { bundleServiceWorkerCode } from '#bin/build-service-worker.ts'

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

/** Adds the licence text of the library heic-to to the build, because that licence demands it. */
const licences: Plugin = {
  name: 'licences',
  apply: 'build',
  generateBundle() {
    const source = readFileSync(join(import.meta.dirname, 'node_modules/heic-to/LICENSE'))
    this.emitFile({ type: 'asset', fileName: 'licences/heic-to.txt', source })
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

/** Whether the file is a contract: `contract.ts` or `…-contract.ts`, in core/ or in a feature. */
const isContract = (file: string) => /\/([a-z-]+-)?contract\.ts$/.test(file)

/**
 * Replaces valibot and `removeInvisibleCharacters` by an empty function where a contract imports them,
 * because the browser needs no schemas. This saves 3 kB on every page. Other modules that import valibot get
 * the real package.
 */
const withoutSchemas: Plugin = {
  name: 'without-schemas',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id, importer) =>
    ['valibot', '#core/invisible-characters.ts'].includes(id) && isContract(importer ?? '')
      ? '\0no-schemas'
      : null,
  load: (id) =>
    id === '\0no-schemas'
      ? `/* @__NO_SIDE_EFFECTS__ */ function none() { return none }
        none.entries = {}
        export {
          none as removeInvisibleCharacters,
          ${Object.keys(valibot).map((name) => `none as ${name}`)}
        }`
      : null,
}

/** The fields of a PageDefinition that only the server reads. */
const serverOnly = ['initialData', 'preloadImage', 'description', 'canonical', 'appShortcutPosition']

/**
 * Removes code that only the server needs from the browser's build: the fields in `serverOnly` from the page
 * definitions, and arguments from the contracts (see `withoutArguments`). Without this, every page would load
 * the contracts of all features.
 */
const pagesForBrowsers: Plugin = {
  name: 'pages-for-browsers',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (isContract(id)) return { code: withoutArguments(code), moduleSideEffects: false }
    if (!/\/features\/[^/]+\/(pages|page-sections)\.ts$/.test(id)) return null
    const left = propertiesOf(parseAst(code, { lang: 'ts' }))
      .filter(({ key }) => serverOnly.includes(key.name ?? ''))
      .toSorted((a, b) => b.start - a.start)
      .reduce((text, { start, end }) => text.slice(0, start) + text.slice(end).replace(/^\s*,/, ''), code)
    return { code: withoutUnusedImports(left), moduleSideEffects: false }
  },
}

/**
 * Removes the import declarations whose names do not appear in the rest of the code. Otherwise the
 * contracts of all features would belong to the files that every page loads.
 */
const withoutUnusedImports = (code: string) =>
  code.replace(/^import \{ ([\w, ]+) \} from '[^']+'\n/gm, (declaration, names: string, at: number) => {
    const rest = code.slice(at + declaration.length)
    return names.split(', ').some((name) => new RegExp(`\\b${name}\\b`).test(rest)) ? declaration : ''
  })

/**
 * Replaces the component of lucide-react by one that draws only what web/ui/Icon.tsx asks for, and removes
 * the names and keys of the icons. This saves 2 kB on every page. `npm run dev` uses the original component.
 */
const plainIcons: Plugin = {
  name: 'plain-icons',
  apply: 'build',
  enforce: 'pre',
  transform(code, id) {
    if (/lucide-react\/dist\/esm\/createLucideIcon\.mjs$/.test(id)) return { code: plainIconComponent }
    if (!/lucide-react\/dist\/esm\/icons\/[\w-]+\.mjs$/.test(id)) return null
    const shapes = propertiesOf(parseAst(code)).find(({ key }) => key.name === 'node')?.value
    if (!shapes) return null
    const text = code.slice(shapes.start, shapes.end).replace(/,\s*key: "\w+"/g, '')
    return {
      code: `import createIcon from '../createLucideIcon.mjs'
        export default /* @__PURE__ */ createIcon(${text})`,
      moduleSideEffects: false,
    }
  },
}
const plainIconComponent = `import { createElement } from 'react'
  const look = { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeLinecap: 'round', strokeLinejoin: 'round' }
  const drawShape = ([tag, attributes]) => createElement(tag, attributes)
  export default (shapes) => (attributes) =>
    createElement('svg', { ...look, ...attributes }, ...shapes.map(drawShape))`

/** The functions of core/contract.ts whose first argument is all that the browser needs. */
const definitions = ['defineEndpoint', 'defineRealtimeChannel']

/**
 * Returns the code of a contract with only the first argument of each call of `definitions` (the method and
 * path of an endpoint, or the name of a channel), and without the arguments of valibot's functions.
 */
function withoutArguments(code: string) {
  const cuts = callsOf(parseAst(code, { lang: 'ts' })).flatMap(({ callee, end, arguments: given }) => {
    if (!given.length) return []
    if (callee.object?.name === 'v') return [{ start: given[0]!.start, end: end - 1 }]
    return definitions.includes(callee.name ?? '') ? [{ start: given[0]!.end, end: end - 1 }] : []
  })
  // Sorts the cuts so that an outer call comes before the calls inside it, because a cut inside another cut
  // is skipped.
  let kept = ''
  let position = 0
  for (const { start, end } of cuts.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < position) continue
    kept += code.slice(position, start)
    position = end
  }
  return kept + code.slice(position)
}

type Argument = { start: number; end: number }
type Call = { end: number; callee: { name?: string; object?: { name?: string } }; arguments: Argument[] }
const callsOf = (node: unknown): Call[] => nodesOf(node, 'CallExpression') as Call[]

type Property = Argument & { key: { name?: string }; value: Argument }
const propertiesOf = (node: unknown) => nodesOf(node, 'Property') as Property[]

/** Returns all nodes of a type in a syntax tree (ESTree). */
function nodesOf(node: unknown, type: string): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap((child) => nodesOf(child, type))
  return 'type' in node && node.type === type ? [node, ...below] : below
}

/** Makes a group take only its own modules, and not those that they import. */
const ownModules = { includeDependenciesRecursively: false }
const chatModules =
  /[\\/]features[\\/]chat[\\/]web[\\/](text|ConversationMute|ConversationRow|date-format|conversation|conversation-lists|emoji)\.tsx?$/
const composerModules =
  /[\\/]features[\\/]posts[\\/]web[\\/](prepare-pictures|limits|PicturePreview|composer-text|CharactersLeft)\.tsx?$|[\\/]idb-keyval[\\/]/

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
        // Puts the modules that several pages share into one file: thirty small files compress badly, and each
        // is a request.
        codeSplitting: {
          groups: [
            { name: 'kit', tags: ['$initial'], test: /\.[mc]?[jt]sx?$/ },
            {
              name: 'kit',
              // Leaves two kinds of modules out of the output file `kit`: those in the web/ folders of the
              // features, because their style sheets would load before web/styles.css, which declares the
              // order of the layers; and those that lists of posts do not need (parts of forms and dialogs,
              // links, and infinite queries).
              test: /^(?!.*nfiniteQuery(Observer)?\.js).*(?<!features[\\/][\w-]+)[\\/](web(?![\\/](links\.|ui[\\/](choices|RadioGroup|ConfirmDialog|Dialog|Field|PicturePicker|SearchBox|image-files)\.))|lucide-react|valibot|@tanstack)[\\/]/,
              minShareCount: 3,
            },
            // Three files with small modules that chats need. Without these groups, a chat has seven more files.
            // The modules have no style sheets, for the reason above.
            { ...ownModules, name: 'chat', test: chatModules },
            { ...ownModules, name: 'composer', test: composerModules },
            { ...ownModules, name: 'dialog', test: /[\\/]web[\\/]ui[\\/](Confirm)?Dialog\.tsx$/ },
          ],
        },
      },
    },
  },
  // Uses the useSyncExternalStore of React instead of the replacement for React 17 that wouter imports.
  resolve: { alias: [{ find: /^use-sync-external-store\/shim.*/, replacement: 'react' }] },
  plugins: [
    licences,
    stylesBeforeScripts,
    withoutSchemas,
    pagesForBrowsers,
    plainIcons,
    react(),
    drawnIcons,
    serviceWorker,
    precompressed,
  ],
})
