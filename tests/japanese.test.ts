import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const japanese = /[\u3040-\u30ff\u4e00-\u9fff]/
const files = globSync(['{core,features,web}/**/*.{ts,tsx,js,html}'], { cwd: root })
  .filter((path) => !/\/test\/|\.test\./.test(path))
  .map((path) => ({ path, text: read(path).replace(/^ *(?:\/\/|\*|\/\*).*$/gm, '') }))
  .filter(({ text }) => japanese.test(text))

const glossary = read('docs/japanese.md')
  .split('## Glossary')[1]!
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| thing'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, , words, lost]) => ({ words: words!.split(', '), lost: lost!.split(', ').filter(Boolean) }))
const words = glossary.flatMap((row) => row.words)

const exceptions: Record<string, { paths: readonly string[]; reason: string }> = {
  ハンドル: {
    paths: ['features/admin/web/read-member-list.ts'],
    reason: 'heading of lists that people have',
  },
  ユーザー: {
    paths: ['features/admin/web/read-member-list.ts'],
    reason: 'heading of lists that people have',
  },
}

/** Words that win may contain a lost one: ブラウザー has ブラウザ in it. */
function has(text: string, lost: string) {
  if (!text.includes(lost)) return false
  const around = words.filter((word) => word.includes(lost) && word !== lost)
  return around.reduce((rest, word) => rest.replaceAll(word, '\n'), text).includes(lost)
}

test('the test reads the texts and the glossary', () => {
  expect(files.length).toBeGreaterThan(150)
  expect(glossary.length).toBeGreaterThan(30)
  expect([has('ブラウザを', 'ブラウザ'), has('ブラウザーを', 'ブラウザ')]).toEqual([true, false])
})

test('no Japanese text has a word that lost in docs/japanese.md', () => {
  const found = glossary
    .flatMap(({ words: [word], lost }) => lost.map((one) => ({ word, lost: one })))
    .flatMap(({ word, lost }) =>
      files
        .filter(({ path }) => !exceptions[lost]?.paths.includes(path))
        .flatMap(({ path, text }) => {
          const lines = text.split('\n').filter((line) => japanese.test(line) && has(line, lost))
          return lines.map((line) => `${path}: ${lost} is ${word}: ${line.trim()}`)
        }),
    )
  expect(found).toEqual([])
})

test('each exception is needed', () => {
  for (const [lost, { paths }] of Object.entries(exceptions))
    for (const path of paths) expect(has(read(path), lost), `${lost} in ${path}`).toBe(true)
})

test('nobody writes さん behind a variable', () => {
  const found = files.filter(({ text }) => /\}(?:」)?さん|'さん|\}\s*さん/.test(text)).map(({ path }) => path)
  expect(found).toEqual(['core/text/honorific.ts'])
})

test('parts of a line have the dot of their language between them', () => {
  const own = ['core/text/dot.ts', 'core/http/client.ts', 'features/push/payload.ts']
  const found = globSync(['{core,features,web}/**/*.{ts,tsx}'], { cwd: root })
    .filter((path) => !/\/test\/|\.test\./.test(path))
    .filter((path) => /· /.test(read(path).replace(/^ *(?:\/\/|\*|\/\*).*$/gm, '')))
  expect(found.toSorted()).toEqual(own.toSorted())
})

test('signs between Japanese letters are full-width', () => {
  const narrow = /[\u3040-\u30ff\u4e00-\u9fff」）] ?[(!?:,](?=[ $'`\u3040-\u30ff\u4e00-\u9fff])/
  const quoted = 'features/posts/pages.ts' // The specification quotes this title.
  const found = files
    .filter(({ path }) => path !== quoted)
    .flatMap(({ path, text }) => text.split('\n').map((line) => `${path}: ${line.trim()}`))
    .filter((line) => narrow.test(line))
  expect(found).toEqual([])
})
