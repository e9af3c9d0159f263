import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expect, test } from 'vitest'

const read = (file: string) => readFileSync(file, 'utf8')
const code = globSync(['features/*/web/**/*.tsx', 'web/**/*.tsx']).map((file) => ({
  file,
  source: read(file),
}))

/** A selector of one class, at the top of a layer. */
const aloneIn = (sheet: string) =>
  new Set([...read(sheet).matchAll(/^ {2}\.([\w-]+)(?: \{|,)$/gm)].map(([, name]) => name!))

const classesIn = (source: string) =>
  new Set(
    [...source.matchAll(/className=(?:"([^"]*)"|\{[^}]*?'([^']*)')/g)].flatMap((found) =>
      (found[1] ?? found[2] ?? '').split(' '),
    ),
  )

/** The sheet of the chats has its place on the page, that of the messages only what is inside of it. */
const shared = ['conversation']

// Otherwise a page of another feature looks different after a visit of the page that loads the sheet.
test('a class that a sheet of a feature styles is used by this feature, or by code that imports the sheet', () => {
  const leaks = globSync('features/*/web/**/*.css').flatMap((sheet) => {
    const home = sheet.split('/').slice(0, 2).join('/')
    const names = [...aloneIn(sheet)].filter((name) => !shared.includes(name))
    return code
      .filter(({ file, source }) => !file.startsWith(`${home}/`) && !source.includes(`/${basename(sheet)}'`))
      .flatMap(({ file, source }) => {
        const used = classesIn(source)
        return names.filter((name) => used.has(name)).map((name) => `${file} uses .${name} of ${sheet}`)
      })
  })
  expect(leaks).toEqual([])
})
