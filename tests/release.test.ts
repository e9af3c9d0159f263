import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { prepareRelease, releaseNotes, repositoryUrl } from '#bin/release.ts'
import packageJson from '#package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const changelog = `# Changelog

## [Unreleased]

### Added
- A new thing ([decision 0066](docs/decisions/0066-service-worker.md), [elsewhere](https://a.example/b)).

## [1.2.0] - 2026-11-22

### Fixed
- \`npm start\` starts.

[Unreleased]: ${repositoryUrl}/compare/v1.2.0...HEAD
[1.2.0]: ${repositoryUrl}/releases/tag/v1.2.0
`
/** Returns the texts of an invented repository whose changelog is `changelog`, by their paths. */
const repository = (path: string) => (path === 'CHANGELOG.md' ? changelog : read(path))
const prepared = (version: string) => prepareRelease(version, '2026-12-01', repository)

/** Runs the script; returns the exit code with what it has written. */
function run(...args: string[]) {
  try {
    return {
      code: 0,
      out: execFileSync(process.execPath, ['bin/release.ts', ...args], {
        cwd: root,
        stdio: 'pipe',
      }).toString(),
    }
  } catch (error) {
    const { status, stderr } = error as { status: number; stderr: Buffer }
    return { code: status, err: stderr.toString() }
  }
}

describe('the notes of a release', () => {
  test('are the section of the changelog, with complete links', () => {
    const notes = releaseNotes('v1.3.0', '1.3.0', prepared('1.3.0')['CHANGELOG.md']!)
    expect(notes).toMatch(/^### Added\n- A new thing/)
    expect(notes).toContain(`(${repositoryUrl}/blob/v1.3.0/docs/decisions/0066-service-worker.md)`)
    expect(notes).toContain('[elsewhere](https://a.example/b)')
    expect(notes).toContain(`(${repositoryUrl}/blob/v1.3.0/docs/releasing.md#verify-a-release)`)
    expect(notes).not.toMatch(/^## |npm start|compare/m)
    expect(releaseNotes('v1.2.0', '1.2.0', changelog)).toMatch(/^### Fixed\n- `npm start` starts\.\n\n\[How/)
  })

  test('are refused for a tag that does not fit package.json', () => {
    for (const tag of ['v1.3.0', '1.2.0', 'v1.2', 'v1.2.0-rc.1', 'v11.2.0', ''])
      expect(() => releaseNotes(tag, '1.2.0', changelog), tag).toThrow(/does not fit package\.json/)
    expect(() => releaseNotes('vnext', 'next', changelog)).toThrow(/A version is like/)
  })

  test('are refused without a section, or with an empty one', () => {
    expect(() => releaseNotes('v1.3.0', '1.3.0', changelog)).toThrow(/has no section \[1\.3\.0\]/)
    const empty = changelog.replace(/### Fixed[\s\S]*?starts\.\n/, '')
    expect(() => releaseNotes('v1.2.0', '1.2.0', empty)).toThrow(/has no section \[1\.2\.0\] with notes/)
    const long = changelog.replace('starts.', 'x'.repeat(125_000))
    expect(() => releaseNotes('v1.2.0', '1.2.0', long)).toThrow(/more than 125000 characters/)
  })

  test('are refused by the script with one line and the code 1', () => {
    expect(run('notes', 'v999.0.0')).toEqual({
      code: 1,
      err: `The tag v999.0.0 does not fit package.json, which has the version ${packageJson.version}.\n`,
    })
    expect(run()).toMatchObject({ code: 1, err: expect.stringMatching(/^Usage: .+\n$/) })
    expect(run('prepare', '0.0.1')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^.*later than.*\n$/),
    })
  })
})

describe('preparing a release', () => {
  test('names and dates the open section, opens an empty one, and links both', () => {
    const text = prepared('1.3.0')['CHANGELOG.md']!
    expect(text).toContain('## [Unreleased]\n\n## [1.3.0] - 2026-12-01\n\n### Added\n')
    expect(text.match(/^\[.+$/gm)).toEqual([
      `[Unreleased]: ${repositoryUrl}/compare/v1.3.0...HEAD`,
      `[1.3.0]: ${repositoryUrl}/compare/v1.2.0...v1.3.0`,
      `[1.2.0]: ${repositoryUrl}/releases/tag/v1.2.0`,
    ])
  })

  test('writes the version wherever it is shown', () => {
    const texts = prepared('98.76.5')
    const shown = (path: string, pattern: RegExp) =>
      [...texts[path]!.matchAll(pattern)].map(([, found]) => found)
    expect(JSON.parse(texts['package.json']!)).toEqual({ ...packageJson, version: '98.76.5' })
    const lock = JSON.parse(texts['package-lock.json']!)
    expect([lock.version, lock.packages[''].version]).toEqual(['98.76.5', '98.76.5'])
    expect(shown('compose.yaml', /image: engawa:(\S+)/g)).toEqual(['98.76.5'])
    expect(new Set(shown('docs/self-hosting.md', /engawa-([\d.]+)\.tgz/g))).toEqual(new Set(['98.76.5']))
    expect(shown('SECURITY.md', /newest release \((.+?)\)/g)).toEqual(['98.76'])
    // Nothing else changes.
    for (const [path, text] of Object.entries(texts))
      if (path !== 'CHANGELOG.md') expect(text.split('\n').length, path).toBe(read(path).split('\n').length)
  })

  test('is refused for a version that is not later, is no version, or has no notes', () => {
    for (const version of ['1.2.0', '1.1.9', '0.9.9'])
      expect(() => prepared(version), version).toThrow(/later than/)
    for (const version of ['1.3', 'v1.3.0', '1.3.0-rc.1', ''])
      expect(() => prepared(version)).toThrow(/is like/)
    const empty = changelog.replace(/### Added[\s\S]*?b\)\)\.\n/, '')
    expect(() => prepareRelease('1.3.0', '2026-12-01', () => empty)).toThrow(/nothing under \[Unreleased\]/)
  })
})

interface Job {
  needs?: string | string[]
  uses?: string
  permissions?: Record<string, string>
  steps?: { uses?: string; run?: string; with?: Record<string, unknown> }[]
}

describe('the workflow of a release', () => {
  const workflow = parse(read('.github/workflows/release.yml')) as {
    on: unknown
    permissions: unknown
    jobs: Record<'notes' | 'test' | 'image' | 'package' | 'release', Job>
  }
  const { jobs } = workflow
  const commands = (job: Job) => job.steps!.map(({ run }) => run ?? '').join('\n')

  test('runs for a tag, checks it first, then runs the complete tests, and only then publishes', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } })
    expect(commands(jobs.notes)).toContain('node bin/release.ts notes "$GITHUB_REF_NAME"')
    expect(jobs.test).toEqual({ needs: 'notes', uses: './.github/workflows/ci.yml' })
    expect([jobs.image.needs, jobs.package.needs, jobs.release.needs]).toEqual([
      'test',
      'test',
      ['image', 'package'],
    ])
    const ci = read('.github/workflows/ci.yml')
    expect(parse(ci).on).toHaveProperty('workflow_call')
    expect(ci).toMatch(/TEST_DEEP: .*github\.ref_type == 'tag'/)
  })

  test('builds the image for amd64 and arm64 and the package, with SBOM and provenance', () => {
    const image = commands(jobs.image)
    for (const option of [
      '--platform linux/amd64,linux/arm64',
      '--sbom=true',
      '--provenance=mode=max',
      '--push',
    ])
      expect(image).toContain(option)
    expect(commands(jobs.package)).toMatch(/npm pack\nnpm sbom [\s\S]*npm publish .+ --provenance/)
    expect(packageJson).toMatchObject({ publishConfig: { access: 'public', provenance: true } })
    expect(packageJson).not.toHaveProperty('private')
    for (const job of [jobs.image, jobs.package])
      expect(job.steps!.map(({ uses }) => uses)).toContainEqual(
        expect.stringMatching(/attest-build-provenance/),
      )
    expect(commands(jobs.release)).toMatch(/gh release create .+ --notes-file notes\.md engawa-\*/)
  })

  test('gives each job only the rights that it needs, and uses actions of exact versions', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' })
    const attests = { contents: 'read', 'id-token': 'write', attestations: 'write' }
    expect(jobs.notes.permissions).toBeUndefined()
    expect(jobs.image.permissions).toEqual({ ...attests, packages: 'write' })
    expect(jobs.package.permissions).toEqual(attests)
    expect(jobs.release.permissions).toEqual({ contents: 'write' })
    const uses = Object.values(jobs).flatMap(({ steps }) => steps?.flatMap((step) => step.uses ?? []) ?? [])
    for (const action of uses) expect(action).toMatch(/^actions\/[\w-]+@v\d+\.\d+\.\d+$/)
    expect(read('.github/workflows/release.yml')).not.toContain('secrets.')
  })
})
