import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'rolldown'

// Makes lib/, which `npm start` runs and npm pack packs: a few files instead of a thousand are what a start saves most of its time by.

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

/** Loaded where they are needed, if ever: by us, or by Fastify, which has no schemas to compile here. */
const later = ['sharp', 'pg', 'nodemailer', '@aws-sdk/client-s3', '@redis/client', 'prom-client']
const never = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/** V8 keeps a script in twice the memory for one letter that is not Latin. */
const asciiOnly: Plugin = {
  name: 'ascii-only',
  renderChunk: (code) =>
    code.replace(/[^\0-\x7f]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`),
}

const programs = ['bin/serve', 'bin/command', 'bin/demo', 'bin/orphan']
await build({
  cwd: root,
  input: Object.fromEntries(programs.map((name) => [name, `${name}.ts`])),
  platform: 'node',
  external: [...later, ...never],
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
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
writeFileSync(join(lib, 'package.json'), JSON.stringify({ type: 'module', version }))
