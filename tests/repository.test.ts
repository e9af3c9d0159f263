import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { detectPackages } from '#tests/services.ts'

// Tests the files that GitHub and editors read: the workflow, the issue forms, the settings of Dependabot,
// and .editorconfig.

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

interface Workflow {
  permissions: Record<string, string>
  jobs: Record<
    string,
    { strategy?: { matrix: { part: string[] } }; steps: { uses?: string; run?: string }[] }
  >
}
interface Form {
  name: string
  description: string
  body: { type: string; id?: string; attributes: Record<string, unknown> }[]
}

describe('the workflow', () => {
  const { permissions, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow
  const steps = Object.values(jobs).flatMap((job) => job.steps)
  const commands = steps.flatMap(({ run }) => run ?? [])

  test('installs the programs that the tests start, then runs each part of everything', () => {
    const [install = '', ...others] = commands
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the workflow fills it
    expect(others).toEqual(['npm test --silent -- ${{ matrix.part }}'])
    const parts = jobs.test!.strategy!.matrix.part
    const shards = ['unit', 'browser'].flatMap((name) => [`${name} --shard=1/2`, `${name} --shard=2/2`])
    expect(parts).toEqual(['check engines', ...shards])
    const [, packages = ''] = /^apt-get update && apt-get install (?:--\S+ )*(.+)$/.exec(install) ?? []
    expect(packages.split(' ').sort()).toEqual(Object.keys(detectPackages()).sort())
    expect(read('CONTRIBUTING.md')).toContain(`sudo apt-get install ${packages}\n`)
  })
  test('may only read, and uses actions and images of exact versions', () => {
    expect(permissions).toEqual({ contents: 'read' })
    const uses = steps.flatMap((step) => step.uses ?? [])
    expect(uses.length).toBeGreaterThan(0)
    for (const action of uses) expect(action).toMatch(/^actions\/[\w-]+@v\d+\.\d+\.\d+$/)
    expect(read('.github/workflows/ci.yml')).toMatch(/^ +image: node:\d+\.\d+\.\d+-\w+$/m)
  })
})

test('.ci/run runs everything and fails where something is left out', () => {
  expect(read('.ci/run').trim().split('\n').at(-1)).toBe('npm test --silent')
})

test('Dependabot looks at the packages, the actions and the images every week', () => {
  const { updates } = parse(read('.github/dependabot.yml')) as {
    updates: { 'package-ecosystem': string; directory: string; schedule: object }[]
  }
  const ecosystems = ['npm', 'github-actions', 'docker', 'docker-compose']
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(ecosystems)
  for (const update of updates)
    expect(update).toMatchObject({ directory: '/', schedule: { interval: 'weekly' } })
})

describe.each(globSync('.github/ISSUE_TEMPLATE/!(config).yml', { cwd: root }))('%s', (path) => {
  const form = parse(read(path)) as Form

  test('is a form: each field has an id of its own and a label', () => {
    expect(form).toMatchObject({ name: expect.any(String), description: expect.any(String) })
    const fields = form.body.filter(({ type }) => type !== 'markdown')
    expect(fields.length).toBeGreaterThan(1)
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length)
    for (const { id, type, attributes } of fields) {
      expect(['input', 'textarea', 'dropdown', 'checkboxes'], id).toContain(type)
      expect(attributes, id).toMatchObject({ label: expect.any(String) })
    }
  })
})

test('there is a form for bugs and one for features, and security problems have another way', () => {
  const config = parse(read('.github/ISSUE_TEMPLATE/config.yml')) as { contact_links: { url: string }[] }
  expect(globSync('.github/ISSUE_TEMPLATE/*', { cwd: root }).sort()).toEqual(
    ['bug', 'config', 'feature'].map((name) => `.github/ISSUE_TEMPLATE/${name}.yml`),
  )
  const { homepage } = JSON.parse(read('package.json')) as { homepage: string }
  const report = `${homepage.replace(/#readme$/, '')}/security/advisories/new`
  expect(config.contact_links.map(({ url }) => url)).toContain(report)
  for (const page of ['SECURITY.md', 'CODE_OF_CONDUCT.md', '.github/ISSUE_TEMPLATE/bug.yml'])
    expect(read(page)).toContain(report)
})

test('the scripts that CONTRIBUTING.md and development.md name exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  const pages = ['CONTRIBUTING.md', 'README.md', 'docs/development.md', '.github/pull_request_template.md']
  const named = pages.flatMap((page) =>
    [...read(page).matchAll(/npm run ([\w:]+)/g)].map(([, name]) => name!),
  )
  expect(named.length).toBeGreaterThan(20)
  expect([...new Set(named)].filter((name) => !(name in scripts))).toEqual([])
  // Expects that every npm script has a `pre` script, which installs or builds what a new clone lacks.
  const own = Object.keys(scripts).filter((name) => !name.startsWith('pre'))
  for (const name of own)
    expect(scripts[`pre${name}`], name).toMatch(/^node bin\/setup\.js (install|build|tools|test)$/)
  const table = read('docs/development.md')
  expect(own.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(table))).toEqual([])
})

test('.editorconfig says the same as biome.json', () => {
  const { formatter } = JSON.parse(read('biome.json')) as {
    formatter: { indentStyle: string; indentWidth: number; lineWidth: number }
  }
  const [, all = ''] = /^\[\*\]\n([\s\S]*?)\n\n/m.exec(read('.editorconfig')) ?? []
  expect(all.split('\n')).toEqual(
    expect.arrayContaining([
      `indent_style = ${formatter.indentStyle}`,
      `indent_size = ${formatter.indentWidth}`,
      `max_line_length = ${formatter.lineWidth}`,
      'end_of_line = lf',
    ]),
  )
})

test('no file of code has more than 320 lines', () => {
  const files = globSync('{app,main,vite.config}.ts', { cwd: root }).concat(
    globSync('{core,features,web,tests,bench,bin,demo}/**/*.{ts,tsx,css}', { cwd: root }),
  )
  expect(files.length).toBeGreaterThan(1000)
  const lineCount = (path: string) => read(path).split('\n').length - 1
  expect(files.filter((path) => lineCount(path) > 320)).toEqual([])
})
