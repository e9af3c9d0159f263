import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Plugin } from 'rolldown'

// This script bundles the server into lib/, which `npm start` runs and `npm pack` packs. The server starts
// faster from a few files than from a thousand.

const root = join(import.meta.dirname, '..')
const lib = join(root, 'lib')

/**
 * The names of the packages that stay outside the bundle, because the server imports them only when it needs
 * them.
 */
const loadedLater = ['sharp', 'pg', 'nodemailer', '@aws-sdk/client-s3', '@redis/client', 'prom-client']
/**
 * The names of the packages that are left out of the bundle, because the server never loads them, although
 * Fastify refers to them: no route has a JSON schema to compile, and only tests call `inject`.
 */
const neverLoaded = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request']

/**
 * A Rolldown plugin that escapes non-ASCII characters in the bundle: V8 stores a script with one such
 * character in two bytes per character.
 */
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
writeFileSync(join(lib, 'package.json'), JSON.stringify({ type: 'module' }))
