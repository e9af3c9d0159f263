import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

// This script makes a release (docs/releasing.md). `prepare 0.3.0` writes the version into all files that
// show it, and gives the changelog's open section its name and date. `notes v0.3.0` prints the notes of the
// release, or refuses a tag that does not fit the repository; the workflow `release.yml` runs it first. It
// imports no package, so that it runs in a clone without an installation.

export const repositoryUrl = 'https://github.com/engawa-social/engawa'
/** The longest text that GitHub takes as the notes of a release, in characters. */
const MAX_NOTES = 125_000

/** The files that show the version, each with a pattern of the places. */
const versionPlaces: Record<string, RegExp> = {
  'package.json': /(?<=^ {2}"version": ")[^"]+/m,
  'package-lock.json': /(?<="name": "engawa",\n {2,6}"version": ")[^"]+/g,
  'compose.yaml': /(?<=image: engawa:)\d+\.\d+\.\d+/g,
  'docs/self-hosting.md': /(?<=engawa-)\d+\.\d+\.\d+(?=\.tgz)/g,
}
/** In SECURITY.md, the supported release, such as `(0.3)`. */
const supportedRelease = /(?<=the newest release \()\d+\.\d+/

class ReleaseError extends Error {}

/** Returns the body of the section `name` of a changelog, without its heading; null if there is none. */
function sectionOf(changelog: string, name: string) {
  const heading = changelog.split('\n').find((line) => line.startsWith(`## [${name}]`))
  if (!heading) return null
  const rest = changelog.slice(changelog.indexOf(heading) + heading.length)
  return rest.split(/^(?:## |\[[^\]\n]+\]: )/m)[0]!.trim()
}

const assertVersion = (version: string) => {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ReleaseError(`A version is like 1.2.3, not “${version}”.`)
}

/** Whether `a` is a later version than `b`. */
function isLater(a: string, b: string) {
  const [first, second] = [a, b].map((version) => version.split('.').map(Number))
  const at = first!.findIndex((part, index) => part !== second![index])
  return at >= 0 && first![at]! > second![at]!
}

/**
 * Returns the Markdown notes for the release with the tag `tag`: the section of the changelog, with complete
 * links. Throws if the tag is not `v` and the version of package.json, or the section is missing or empty.
 */
export function releaseNotes(tag: string, version: string, changelog: string): string {
  assertVersion(version)
  if (tag !== `v${version}`)
    throw new ReleaseError(`The tag ${tag} does not fit package.json, which has the version ${version}.`)
  const section = sectionOf(changelog, version)
  if (!section)
    throw new ReleaseError(
      `CHANGELOG.md has no section [${version}] with notes: run \`npm run release -- prepare ${version}\` first.`,
    )
  const notes = section.replace(/\]\((?=[\w.])(?!https?:)/g, `](${repositoryUrl}/blob/${tag}/`)
  const verify = `${repositoryUrl}/blob/${tag}/docs/releasing.md#verify-a-release`
  const text = `${notes}\n\n[How to verify this release](${verify})\n`
  if (text.length > MAX_NOTES) throw new ReleaseError(`The notes have more than ${MAX_NOTES} characters.`)
  return text
}

/**
 * Returns the new texts of the files that change for the release `version` on the day `date` (YYYY-MM-DD), by
 * their paths. `read` returns the text of a file of the repository.
 */
export function prepareRelease(
  version: string,
  date: string,
  read: (path: string) => string,
): Record<string, string> {
  assertVersion(version)
  const changelog = read('CHANGELOG.md')
  const last = /^## \[(\d+\.\d+\.\d+)\]/m.exec(changelog)?.[1]
  if (!last || !isLater(version, last))
    throw new ReleaseError(`The version ${version} must be later than the last release, ${last}.`)
  if (!sectionOf(changelog, 'Unreleased'))
    throw new ReleaseError('CHANGELOG.md has nothing under [Unreleased].')
  const texts = Object.entries(versionPlaces).map(([path, place]) => [
    path,
    read(path).replace(place, version),
  ])
  return {
    ...Object.fromEntries(texts),
    'SECURITY.md': read('SECURITY.md').replace(supportedRelease, version.split('.').slice(0, 2).join('.')),
    'CHANGELOG.md': changelog
      .replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`)
      .replace(
        /^\[Unreleased\]: .+$/m,
        `[Unreleased]: ${repositoryUrl}/compare/v${version}...HEAD\n` +
          `[${version}]: ${repositoryUrl}/compare/v${last}...v${version}`,
      ),
  }
}

function run([command, value = '']: string[]) {
  const root = join(import.meta.dirname, '..')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  if (command === 'notes') {
    const { version } = JSON.parse(read('package.json')) as { version: string }
    return releaseNotes(value, version, read('CHANGELOG.md'))
  }
  if (command !== 'prepare')
    throw new ReleaseError('Usage: npm run release -- prepare VERSION, or npm run release -- notes TAG')
  const today = new Date().toISOString().slice(0, 10)
  const texts = prepareRelease(value, today, read)
  for (const [path, text] of Object.entries(texts)) writeFileSync(join(root, path), text)
  return `Written: ${Object.keys(texts).join(', ')}\n`
}

if (import.meta.main)
  try {
    process.stdout.write(run(process.argv.slice(2)))
  } catch (error) {
    if (!(error instanceof ReleaseError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
