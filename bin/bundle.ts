import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'rolldown'

// Builds lib/, which `npm start` runs and `npm pack` packs. A few files instead of a thousand make the start
// fast.

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

/** Packages that are loaded when they are needed. */
const loadedLater = ['sharp', 'pg', 'nodemailer', '@aws-sdk/client-s3', '@redis/client', 'prom-client']
/** Packages that Fastify names and that are never loaded: no route has a schema to compile. */
const neverLoaded = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/** Escapes other characters: V8 keeps a script that has one in twice the memory. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  renderChunk: (code) =>
    code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
}

const programs = ['bin/serve', 'bin/command', 'bin/orphan']
await build({
  cwd: root,
  input: Object.fromEntries(programs.map((name) => [name, `${name}.ts`])),
  platform: 'node',
  external: [...loadedLater, ...neverLoaded],
  plugins: [asciiOnly],

  output: {
    dir: lib,
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
  },
})
cpSync(join(root, 'dist'), join(lib, 'dist'), { recursive: true })
cpSync(join(root, 'features/people/common-passwords.bin'), join(lib, 'common-passwords.bin'))
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
writeFileSync(join(lib, 'package.json'), JSON.stringify({ type: 'module', version }))
