import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { readRepositoryFile, replaceGeneratedPart, updaters } from '#bin/generate.ts'
import { readEnvironment } from '#core/config.ts'
import { variables } from '#core/environment/settings.ts'
import type { VariableDefinition } from '#core/environment/values.ts'

test.each(Object.entries(updaters))('%s is up to date; `npm run generate` writes it', (path, generate) => {
  const text = readRepositoryFile(path)
  expect(generate(text)).toBe(text)
})

test('replaces the text between the markers of a part alone, and throws without them', () => {
  const text = 'a\n<!-- x: written by `npm run generate` -->\nold\n<!-- /x -->\nb\n'
  const changed = replaceGeneratedPart(text, 'x', 'new\n')
  expect(changed).toBe('a\n<!-- x: written by `npm run generate` -->\nnew\n<!-- /x -->\nb\n')
  expect(replaceGeneratedPart(changed, 'x', 'old\n')).toBe(text)
  expect(() => replaceGeneratedPart(text, 'y', 'new\n')).toThrow('lacks the markers')
  expect(() => replaceGeneratedPart('# Nothing', 'x', 'new\n')).toThrow('lacks the markers')
})

test('.env.example sets nothing as it is, and with every line set it sets the defaults', () => {
  const text = readRepositoryFile('.env.example')
  expect(parseEnv(text)).toEqual({})
  const all = parseEnv(text.replace(/^#(?=[A-Z])/gm, ''))
  const settings = Object.entries<VariableDefinition>(variables)
  const names = settings.flatMap(([name, { isSecret }]) => (isSecret ? [name, `${name}_FILE`] : [name]))
  expect(Object.keys(all).sort()).toEqual(names.sort())
  expect(readEnvironment(all)).toEqual(readEnvironment({}))
})

test.each(Object.entries<VariableDefinition>(variables))(
  '%s says what applies without it, in one place',
  (_, setting) => {
    expect(Object.keys(setting).filter((key) => ['standard', 'unset'].includes(key))).toHaveLength(1)
    expect(setting.description).toMatch(/^\S[^|\n]*\.$/)
  },
)
