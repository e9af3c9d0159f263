import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

// Reads the code of the server and of the pages, and finds what is never safe there. docs/security.md names
// these tests as the evidence of requirements that no request can show.

const root = join(import.meta.dirname, '..')
const isTest = (path: string) =>
  /\/test\/|\.test\.|^bin\/(?:common-passwords|dev|pin-images|screenshot)/.test(path)
const code = globSync(['{main,app}.ts', '{core,features,web,bin}/**/*.{ts,tsx,js}'], { cwd: root })
  .filter((path) => !isTest(path))
  .map((path) => ({
    path,
    text: readFileSync(join(root, path), 'utf8').replace(/^ *(?:\/\/|\*|\/\*).*$/gm, ''),
  }))
const server = code.filter(({ path }) => !/\/web\/|^web\//.test(path))
const pages = code.filter(({ path }) => /\/web\/|^web\//.test(path))

/** Returns each match of a pattern in the files, as its path and text (the first group, if there is one). */
const find = (files: typeof code, pattern: RegExp) =>
  files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([all, group]) => ({ path, found: group ?? all })),
  )
const pathsWith = (files: typeof code, pattern: RegExp) =>
  [...new Set(find(files, pattern).map(({ path }) => path))].sort()

test('the tests read all of the code', () => {
  expect([server.length > 400, pages.length > 200]).toEqual([true, true])
  expect(pathsWith(code, /\bcreateHmac\(/g).length).toBeGreaterThan(5)
})

test('no code evaluates text, makes HTML of strings in a page, or needs a plugin', () => {
  expect(find(code, /\b(?<!\.)eval\(|\bnew Function\(|\bsetTimeout\(['"`]/g)).toEqual([])
  expect(
    find(
      pages,
      /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc)\b|document\.write/gi,
    ),
  ).toEqual([])
  expect(find(pages, /<(?:object|embed|applet|iframe)\b/g)).toEqual([])
})

test('other programs start at one place, without a shell', () => {
  expect(pathsWith(server, /['"](?:node:)?child_process['"]/g)).toEqual(['bin/setup.js', 'main.ts'])
  expect(
    find(
      server.filter(({ path }) => path === 'main.ts'),
      /\bspawn\((.+?),/g,
    ),
  ).toEqual([{ path: 'main.ts', found: 'process.execPath' }])
  expect(find(server, /\bshell:/g).filter(({ path }) => path !== 'bin/setup.js')).toEqual([])
})

test('SQL from strings is made only of constants, in the files that are known', () => {
  expect(find(server, /\bsql\.raw\((.+)/g).map(({ path }) => path)).toEqual(
    expect.arrayContaining(['core/database/migrate.ts']),
  )
  expect(pathsWith(server, /\bsql\.raw\(/g)).toEqual([
    'core/database/migrate.ts',
    'features/groups/owner-repair.ts',
  ])
})

test('secrets come from the generator of the system, with at least 128 bits', () => {
  // Shorter random values only keep the names of files and versions apart, or belong to a code of 80 bits.
  const short = find(server, /\brandomBytes\((\d+)\)/g).filter(({ found }) => Number(found) < 16)
  expect([...new Set(short.map(({ path }) => path))].sort()).toEqual([
    'core/config.ts',
    'core/database/prepared-statements.ts',
    'core/database/table-versions.ts',
    'features/export/make-export.ts',
  ])
  // Math.random spreads moments, and is never part of a value that is stored or sent.
  expect(pathsWith(server, /\bMath\.random\b/g)).toEqual([
    'core/database/transaction.ts',
    'core/process/locks.ts',
    'core/realtime/connections.ts',
  ])
})

test('algorithms are fixed in the code, and the weak ones have one use each', () => {
  const uses = find(server, /\bcreate(?:Hash|Hmac|Cipheriv|Decipheriv)\(\s*([^,)]+)/g)
  const strong = ["'sha256'", "'aes-256-gcm'"]
  expect(
    uses.filter(({ found }) => !strong.includes(found)).sort((a, b) => a.path.localeCompare(b.path)),
  ).toEqual([
    { path: 'core/realtime/http-api.ts', found: "'md5'" },
    { path: 'features/account/totp.ts', found: "'sha1'" },
    { path: 'features/people/verification.ts', found: "'sha1'" },
  ])
  expect(pathsWith(server, /\bcreateCipheriv\(/g)).toEqual(['features/account/secret-encryption.ts'])
  expect(find(server, /\bderive\(('argon2\w+')/g).map(({ found }) => found)).toEqual(["'argon2id'"])
  const { text } = server.find(({ path }) => path === 'features/people/passwords.ts')!
  expect(text).toContain('const cost = { memory: 19_456, passes: 2, parallelism: 1 }')
})

test('each use of SECRET begins with a word of its own', () => {
  const uses = find(server, /createHmac\('sha256', (?:config\.)?(?:SECRET|secret)\)\s*\.update\(([^)]*)/g)
  const words = uses.map(({ path, found }) => /^`([a-z ]+?) \$\{/.exec(found)?.[1] ?? `none in ${path}`)
  expect(words.length).toBeGreaterThan(6)
  expect(words.filter((word) => word.startsWith('none'))).toEqual([])
  expect(new Set(words).size).toBe(words.length)
})

// The health check reads when the certificate of the own site ends, also if it has ended, and sends nothing.
test('certificates of other servers are always checked', () =>
  expect(
    pathsWith(code, /\brejectUnauthorized\b|NODE_TLS_REJECT_UNAUTHORIZED|\bcheckServerIdentity\b/g),
  ).toEqual(['core/health/certificate.ts']))

test('calls to other servers follow no redirect by themselves', () => {
  const calls = server.filter(({ text }) => /(?<![.\w])fetch\(/.test(text))
  expect(calls.map(({ path }) => path)).toEqual(['core/realtime/webhooks.ts'])
  expect(calls[0]!.text).toContain("redirect: 'manual'")
})

test('redirects of the server lead only to pages of this site', () => {
  expect(find(server, /\.redirect\(([^,)]+)/g)).toEqual([
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a part of the code
    { path: 'core/http/page-redirects.ts', found: '`/login${next}`' },
    { path: 'core/http/pages.ts', found: 'required' },
  ])
  expect(find(server, /['"]location['"]/gi)).toEqual([])
})

test('fields for passwords are masked, take pasted text, and name what they are for', () => {
  const fields = find(pages, /\btype=(?:"password"|\{[^}]*'password'\})/g)
  expect(fields.length).toBeGreaterThan(4)
  for (const { path } of fields) {
    const { text } = pages.find((file) => file.path === path)!
    expect(text, path).toMatch(/autoComplete=["{][^>]*(?:current|new)-password/)
  }
  expect(
    find(pages, /\bonPaste=/g).filter(({ path }) => fields.some((field) => field.path === path)),
  ).toEqual([])
})

test('only web/keyboard.ts reads which key was pressed, because it knows of input methods', () => {
  const reads = /\bevent\.key\b(?!Code)|\{[^{}]*\b(?:key|keyCode|isComposing)\b[^{}]*\} = event\b/g
  expect(pathsWith(pages, reads)).toEqual([])
  expect(pathsWith(pages, /\bisComposing\b/g)).toEqual(['web/keyboard.ts'])
})

test('every view has a file that web/views.tsx finds', () => {
  const declared = code.filter(({ path }) => /^features\/\w+(-\w+)*\/(pages|page-sections)\.ts$/.test(path))
  const views = find(declared, /\bview: '(.+?)'/g).map(({ found }) => found.replace('/', '/web/'))
  expect(views.length).toBeGreaterThan(50)
  const files = new Set(globSync('features/*/web/*{Page,PageSection}.tsx', { cwd: root }))
  expect(views.filter((view) => !files.has(`features/${view}.tsx`))).toEqual([])
})

test('dates are formatted in one file of the pages and one of the server', () => {
  const formats = /\bIntl\.(?:DateTimeFormat|RelativeTimeFormat)\(|\.toLocale(?:Date|Time)String\(/g
  expect(pathsWith(pages, formats)).toEqual(['web/dates.ts'])
  // settings-contract.ts only asks whether a zone exists.
  expect(pathsWith(server, formats)).toEqual(['core/community/settings-contract.ts', 'core/text/times.ts'])
})

test('the shell names no feature but people, and finds the others by their file names', () => {
  const shell = code.filter(({ path }) => path.startsWith('web/'))
  expect(find(shell, /\bfeatures\/(?!people\/|\*)[\w-]+|\bfeatures\.includes\(/g)).toEqual([])
})

test('only core/text cuts texts that people wrote, because it leaves emoji and accents whole', () => {
  const written =
    'text|message|body|bio|title|name|label|description|note|reason|answer|question|excerpt|words|cell|letters|characters'
  const cuts = new RegExp(
    [
      String.raw`\.substr(?:ing)?\(`,
      // Code points: an emoji may have eleven.
      String.raw`(?:\[\.\.\.[^\]\n]+\]|Array\.from\([^\n]+\))\.slice\(0[^\n]*\.join\(''\)`,
      String.raw`\b(?:${written})(?:\.(?:trim\w*|replace|normalize)\([^\n]*?\))*!?\.slice\(0,`,
      // A query reads one more, for `shorten`.
      String.raw`\bsubstr\([\w.]+, 1, (?!\$\{sql\.lit\(\w+ \+ 1\)\})`,
    ].join('|'),
    'g',
  )
  const files = code.filter(({ path }) => !/^(?:bin|core\/text)\//.test(path))
  // Cuts a word that it has just found in the text.
  expect(pathsWith(files, cuts)).toEqual(['features/people/text-parts-contract.ts'])
})
