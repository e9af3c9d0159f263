import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { serverFolder } from '#tests/server.ts'

const root = join(import.meta.dirname, '..')
const files = [
  'Dockerfile',
  'compose.yaml',
  'compose.many.yaml',
  '.github/workflows/ci.yml',
  '.github/workflows/release.yml',
]
/** The places of images, except of the image that this repository builds. */
const places = /^(?:FROM | *(?:image|container): (?!engawa:)).*|docker run .*/gm
const placesOf = (folder: string) =>
  files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(places) ?? [])

/**
 * Copies the files into a folder, and returns a function that runs the script there with an invented Docker.
 */
async function open() {
  const folder = await serverFolder()
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  const run = (docker: string) => {
    writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${docker}\n`)
    chmodSync(join(folder, 'docker'), 0o755)
    const env = { ...process.env, PATH: `${folder}:${process.env.PATH}` }
    return spawnSync(process.execPath, [join(root, 'bin/pin-images.ts')], {
      cwd: folder,
      env,
      encoding: 'utf8',
    })
  }
  return { folder, run }
}
const answerWith = (salt: string) =>
  `printf 'sha256:%s\\n' "$(printf %s "${salt}$4" | sha256sum | cut -c1-64)"`

test('every image has an exact version', () => {
  const found = placesOf(root)
  expect(found.length).toBeGreaterThan(8)
  for (const place of found) expect(place).toMatch(/[\w/]:[\w.-]*\d+\.\d+[\w.-]*/)
})

test('`npm run pin` writes the digest of each image behind its tag, and newer digests over older ones', async () => {
  const { folder, run } = await open()
  const first = run(answerWith('one'))
  expect(first.stderr).toBe('')
  expect(first.stdout).toMatch(/^caddy:\S+ is sha256:[\da-f]{64}$/m)
  const pinned = placesOf(folder)
  for (const place of pinned) expect(place).toMatch(/:[\w.-]+@sha256:[\da-f]{64}(?![\da-f@])/)
  const withoutDigests = pinned.map((place) => place.replace(/@sha256:\w+/, ''))
  expect(withoutDigests).toEqual(placesOf(root).map((place) => place.replace(/@sha256:\w+/, '')))
  expect(run(answerWith('two')).status).toBe(0)
  const newer = placesOf(folder)
  for (const [index, place] of newer.entries()) {
    expect(place).toMatch(/:[\w.-]+@sha256:[\da-f]{64}(?![\da-f@])/)
    expect(place).not.toBe(pinned[index])
  }
})

test('`npm run pin` changes nothing if Docker names no digest', async () => {
  const { folder, run } = await open()
  for (const docker of [
    'exit 1',
    'echo nothing',
    `case "$4" in debian*) echo no;; *) ${answerWith('')};; esac`,
  ]) {
    expect(run(docker).status).not.toBe(0)
    expect(placesOf(folder)).toEqual(placesOf(root))
  }
})
