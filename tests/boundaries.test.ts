import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, test } from 'vitest'
import { featureOrder } from './import-rules.ts'

type Source = { path: string; text: string }

describe('the project', () => {
  const paths = list('.')
  const sources = paths
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

  test('is read completely', () => {
    const read = sources.map((source) => source.path)
    const some = ['app.ts', 'core/config.ts', 'features/people/tables.ts', 'features/people/pages.ts']
    expect(read).toEqual(expect.arrayContaining(['main.ts', ...some]))
  })
  test('reads process.env only in core/config.ts', () =>
    expect(sources.flatMap(environmentFaults)).toEqual([]))
  test('has no deeper folders than the floor plan', () => expect(paths.flatMap(depthFaults)).toEqual([]))
  test('writes a table only in the feature that declares it', () => expect(tableFaults(sources)).toEqual([]))
  test('reads a table only in the feature that owns it', () => expect(readFaults(sources)).toEqual([]))
  test('names in pages.ts only views that exist', () => {
    const tables = sources.filter(({ path }) => /^features\/[^/]+\/pages\.ts$/.test(path))
    expect(tables).toHaveLength(featureOrder.length)
    tables.push(...sources.filter(({ path }) => /^features\/[^/]+\/page-sections\.ts$/.test(path)))
    expect(tables.flatMap((pages) => viewFaults(pages, (path) => existsSync(join(root, path))))).toEqual([])
  })
})

describe('the checker', () => {
  test('finds reads of the environment elsewhere, and ignores comments', () => {
    const read = { text: 'export const port = process.env.PORT' }
    expect(environmentFaults({ path: 'features/people/model.ts', ...read })).toEqual([
      expect.stringContaining('features/people/model.ts: '),
    ])
    expect(environmentFaults({ path: 'main.ts', text: `import { env } from 'node:process'` })).toHaveLength(1)
    for (const path of ['core/config.ts', 'tests/zip.ts', 'bin/dev.ts', 'bench/bench.ts', 'vite.config.ts'])
      expect(environmentFaults({ path, ...read })).toEqual([])
    expect(environmentFaults({ path: 'main.ts', text: '// process.env is read in core/config.ts' })).toEqual(
      [],
    )
  })

  test('finds a third folder level', () => {
    expect(depthFaults('features/posts/web/parts/Row.tsx')).toHaveLength(1)
    expect(depthFaults('features/posts/web/Row.tsx')).toEqual([])
  })

  test.each([
    `db.insertInto('users').values(row)`,
    `tx.updateTable('users as u').set(row)`,
    `tx\n    .deleteFrom(\n      'users'\n    )`,
    `db.replaceInto("users")`,
    `db.deleteFrom(['likes', 'users'])`,
    `db.insertInto(table)`,
    'sql`insert into users (name) values (?)`',
    'sql`update users set name = ?`',
    'sql`DELETE FROM "users" where id = 1`',
  ])('finds a write to a table of another feature: %j', (text) => {
    const faults = tableFaults([...tables, { path: 'features/posts/model.ts', text }])
    expect(faults).toEqual([expect.stringMatching(/^features\/posts\/model\.ts: .*(users|names no table)/s)])
  })

  test('allows writes to a feature’s own tables and in tests, and does not count a read as a write', () => {
    const text = `db.insertInto('posts').onConflict((c) => c.doUpdateSet({}))\ndb.selectFrom('users')\nsql\`insert into likes (a) values (1) on conflict do update set a = 1\``
    expect(tableFaults([...tables, { path: 'features/posts/model.ts', text }])).toEqual([])
    expect(
      tableFaults([...tables, { path: 'features/posts/test/posts.test.ts', text: `db.deleteFrom('users')` }]),
    ).toEqual([])
    expect(tableFaults([...tables, { path: 'core/jobs/jobs.ts', text: `db.insertInto('jobs')` }])).toEqual([])
    expect(
      tableFaults([...tables, { path: 'core/http/server.ts', text: `db.insertInto('users')` }]),
    ).toHaveLength(1)
  })

  test.each([
    ['features/posts/read.ts', `db.selectFrom('users')`],
    ['features/posts/read.ts', `db.selectFrom('posts as p').innerJoin('users as u', 'u.id', 'p.user_id')`],
    ['features/posts/read.ts', `db.selectFrom(['posts', 'users'])`],
    ['features/posts/feeds.ts', 'sql`select p.id from posts p join users u on u.id = p.user_id`'],
    ['features/posts/routes.ts', `db.selectFrom('posts')`],
    ['features/people/routes.ts', `db.selectFrom('users')`],
    ['features/people/sessions.ts', `db.selectFrom('users')`],
    ['core/http/session.ts', `db.selectFrom('users')`],
  ])('finds in %s a query on a table that this file may not read: %j', (path, text) => {
    expect(readFaults([...tables, { path, text }])).toEqual([expect.stringContaining(path)])
  })

  test('allows a feature to read its own tables and those of core', () => {
    const text = `db.selectFrom('posts as p').leftJoin('likes as l', 'l.post_id', 'p.id')\nsql\`select id from outbox\``
    expect(readFaults([...tables, { path: 'features/posts/read.ts', text }])).toEqual([])
    expect(
      readFaults([...tables, { path: 'features/people/visibility.ts', text: `db.selectFrom('users')` }]),
    ).toEqual([])
    expect(
      readFaults([...tables, { path: 'features/posts/test/x.test.ts', text: `db.selectFrom('users')` }]),
    ).toEqual([])
  })

  test('finds a table that is declared twice', () => {
    for (const text of [
      'export interface ChatTables { likes: { id: number } }',
      'sql`create table likes (id integer)`',
    ]) {
      const faults = tableFaults([...tables, { path: 'features/conversations/tables.ts', text }])
      expect(faults).toEqual([expect.stringMatching(/conversations\/tables\.ts: .*likes/)])
    }
  })

  test('finds a missing view, and a pages.ts without views', () => {
    const files = ['features/posts/web/PostListPage.tsx', 'web/NotFound.tsx']
    const faults = (text: string) =>
      viewFaults({ path: 'features/posts/pages.ts', text }, (path) => files.includes(path))
    expect(faults(`{ '/': { view: 'posts/PostListPage' }, '*': { view: "web/NotFound" } }`)).toEqual([])
    expect(faults(`{ '/': { view: 'posts/PostLost' } }`)).toEqual([
      expect.stringContaining('features/posts/web/PostLost.tsx'),
    ])
    expect(faults('export const pages = {}')).toHaveLength(1)
    expect(faults('export const pages: readonly PageDefinition[] = []')).toEqual([])
  })

  const tables: Source[] = [
    { path: 'core/jobs/jobs.ts', text: 'export interface JobTables { jobs: { id: number } }' },
    {
      path: 'core/database/database.ts',
      text: 'sql`create table if not exists migrations (name text primary key)`\nsql`insert into migrations (name) values (?)`',
    },
    {
      path: 'features/people/tables.ts',
      text: 'export interface PeopleTables {\n  users: { id: number; name: string }\n}',
    },
    {
      path: 'features/posts/tables.ts',
      text: 'export interface PostTables {\n  /** users: not here */\n  posts: { id: Generated<number>; users: number }\n  likes: Like\n}',
    },
  ]
})

const root = join(import.meta.dirname, '..')

function list(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    if (
      entry.name.startsWith('.') ||
      ['node_modules', 'dist', 'lib', 'data', 'test-results'].includes(entry.name)
    )
      return []
    const path = posix.join(folder, entry.name)
    return entry.isDirectory() ? list(path) : [path]
  })
}

const topFolder = (path: string) => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '')
const isTest = (path: string) => topFolder(path) === 'tests' || /\.test\.tsx?$/.test(path)
const isConfig = (path: string) => /^[^/]+\.config\.ts$/.test(path)

function environmentFaults({ path, text }: Source) {
  if (
    path === 'core/config.ts' ||
    ['tests', 'bin', 'bench'].includes(topFolder(path)) ||
    isTest(path) ||
    isConfig(path)
  )
    return []
  const reads = /\bprocess\s*\??\.\s*env\b|\benv\b[^;'"]*from\s*['"](node:)?process['"]/.test(
    withoutComments(text),
  )
  return reads ? [`${path}: reads process.env; core/config.ts does that for all`] : []
}

function depthFaults(path: string) {
  const most = /^features\/[^/]+\/(web|test)\//.test(path) ? 4 : 3
  const deep = ['core', 'features'].includes(topFolder(path)) && path.split('/').length > most
  return deep ? [`${path}: lies in a third folder level`] : []
}

/** Returns the owner (feature or core) of each table, and an error text for each table with two owners. */
function ownersOfTables(sources: Source[]) {
  const owners = new Map<string, string>()
  const faults: string[] = []
  for (const { path, text } of sources.filter(holdsTables)) {
    for (const table of declaredTables(text)) {
      const owner = owners.get(table)
      if (owner && owner !== ownerOf(path))
        faults.push(`${path}: declares '${table}', which is a table of ${owner}`)
      else owners.set(table, ownerOf(path))
    }
  }
  return { owners, faults }
}

/** Matches the files that may query the table `users` directly. All others use functions of visibility.ts. */
const readersOfUsers =
  /^features\/people\/(visibility|read|accounts|admins|blocks|credentials|deletion|model|tables)\.ts$/

/**
 * Returns an error text for each query on a table of another feature, for each query in routes.ts or
 * module.ts, and for each query on the table `users` that bypasses visibility.ts.
 */
function readFaults(sources: Source[]) {
  const { owners } = ownersOfTables(sources)
  return sources
    .filter(({ path }) => /^(core|features)\/.*\.ts$/.test(path) && !isTest(path) && !/\/web\//.test(path))
    .flatMap(({ path, text }) =>
      [...reads(text)]
        .filter((table) => owners.has(table))
        .flatMap((table) => {
          const owner = owners.get(table)!
          if (owner !== 'core' && !mayUse(path, owner))
            return [`${path}: reads '${table}', a table of ${owner}`]
          if (/\/(routes|module)\.ts$/.test(path))
            return [`${path}: reads '${table}'; queries stand in read.ts or model.ts`]
          if (table === 'users' && !readersOfUsers.test(path))
            return [`${path}: reads 'users' past visibility.ts`]
          return []
        }),
    )
}

/** Returns the names of the tables that a source text reads, in Kysely queries and in raw SQL. */
function reads(text: string): Set<string> {
  const code = withoutComments(text)
  const built = [
    ...code.matchAll(/\.?\b(?:selectFrom|\w+Join(?:Lateral)?)\(\s*(\[[^\]]*\]|['"`][^'"`]*['"`])/g),
  ].flatMap((match) => quoted(match[1]!).map((name) => name.trim().split(/\s/)[0]!))
  const raw = [...code.matchAll(/`[^`]*`/g)].flatMap(([sql]) =>
    [...sql.matchAll(/\b(?:from|join)\s+"?([a-z_]+)\b/g)].map((match) => match[1]!),
  )
  return new Set([...built, ...raw])
}

function tableFaults(sources: Source[]) {
  const { owners, faults } = ownersOfTables(sources)
  for (const { path, text } of sources.filter(
    (source) => /^(core|features)\/.*\.ts$/.test(source.path) && !isTest(source.path),
  )) {
    for (const { statement, table } of writes(text)) {
      if (!table) faults.push(`${path}: ${statement} names no table, so that nobody can tell whose it writes`)
      else if (!mayUse(path, owners.get(table)))
        faults.push(`${path}: ${statement} writes '${table}', ${whose(owners.get(table), path)}`)
    }
  }
  return faults
}

const holdsTables = ({ path }: Source) =>
  /^core\/.*\.ts$|^features\/[^/]+\/tables\.ts$/.test(path) && !isTest(path)
const ownerOf = (path: string) =>
  topFolder(path) === 'core' ? 'core' : path.split('/').slice(0, 2).join('/')
const whose = (owner: string | undefined, path: string) =>
  owner ? `a table of ${owner}` : `which ${ownerOf(path)} neither declares in a …Tables interface nor creates`

/** Groups and messages are rows of the tables of all conversations (decision 0036). */
const mayUse = (path: string, owner: string | undefined) =>
  owner === ownerOf(path) ||
  (owner === 'features/conversations' && /^features\/(groups|messages)\//.test(path))

function declaredTables(text: string) {
  const code = withoutComments(text)
  const created = [...code.matchAll(/\bcreate\s+table\s+(?:if\s+not\s+exists\s+)?"?(\w+)/gi)].map(
    (match) => match[1]!,
  )
  const typed = [...code.matchAll(/\binterface\s+\w*Tables\b[^{]*\{/g)].flatMap((match) => {
    let body = upToClosingBrace(code.slice(match.index + match[0].length))
    while (/\{[^{}]*\}/.test(body)) body = body.replace(/\{[^{}]*\}/g, '')
    return [...body.matchAll(/(\w+)['"]?\s*\??:/g)].map((key) => key[1]!)
  })
  return [...typed, ...created]
}

function upToClosingBrace(code: string) {
  let depth = 1
  for (let at = 0; at < code.length; at++) {
    if (code[at] === '{') depth++
    if (code[at] === '}' && --depth === 0) return code.slice(0, at)
  }
  return code
}

function writes(text: string): { statement: string; table: string | null }[] {
  const code = withoutComments(text)
  const built = [
    ...code.matchAll(
      /\.(insertInto|updateTable|deleteFrom|replaceInto|mergeInto)\s*(?:<[^(]*>)?\(([^)]*)\)/g,
    ),
  ].flatMap((match) => {
    const tables = quoted(match[2]!).map((name) => name.trim().split(/\s/)[0]!)
    return (tables.length > 0 ? tables : [null]).map((table) => ({ statement: match[1]!, table }))
  })
  const raw =
    /\b(?:(?:insert(?:\s+or\s+\w+)?|replace)\s+into\s+"?(\w+)"?\s*(?=\(|select\b|values\b|default\b|as\b)|update\s+"?(\w+)"?\s+(?:as\s+\w+\s+)?set\b|delete\s+from\s+"?(\w+))/gi
  const written = [...code.matchAll(raw)].map((match) => ({
    statement: match[0].split(/\s/)[0]!,
    table: (match[1] ?? match[2] ?? match[3])!,
  }))
  return [...built, ...written]
}

function viewFaults({ path, text }: Source, exists: (path: string) => boolean) {
  const found = withoutComments(text).matchAll(/\bview:\s*(['"])(.+?)\1/g)
  const views = [...new Set([...found].map((match) => match[2]!))]
  // Accepts a feature without pages of its own, whose parts later features show, if it exports an empty
  // list of pages.
  if (views.length === 0) return /PageDefinition\[\] = \[\]$/m.test(text) ? [] : [`${path}: has no view: '…'`]
  return views
    .map((view) => ({
      view,
      file: view.startsWith('web/') ? `${view}.tsx` : `features/${view.replace('/', '/web/')}.tsx`,
    }))
    .filter(({ file }) => !exists(file))
    .map(({ view, file }) => `${path}: view '${view}' means ${file}, which does not exist`)
}

/** Returns a text without block comments at line starts and `//` comments after spaces. Keeps URLs whole. */
const withoutComments = (text: string) =>
  text.replace(/^[ \t]*\/\*[\s\S]*?\*\//gm, '').replace(/(^|\s)\/\/.*$/gm, '$1')

const quoted = (code: string) => [...code.matchAll(/(['"`])(.*?)\1/g)].map((match) => match[2]!)
