import { parseEnv } from 'node:util'
import { expect, test } from 'vitest'
import { generatedFileUpdatersByPath, readRepositoryFile, replaceGeneratedPart } from '#bin/generate.ts'
import { readEnvironmentSettings } from '#core/config.ts'
import type { EnvironmentVariableDefinition } from '#core/setting-values.ts'
import { environmentVariableDefinitionsByName } from '#core/settings.ts'

test.each(Object.entries(generatedFileUpdatersByPath))(
  '%s is up to date; `npm run generate` writes it',
  (path, generate) => {
    const text = readRepositoryFile(path)
    expect(generate(text)).toBe(text)
  },
)

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
  const settings = Object.entries<EnvironmentVariableDefinition>(environmentVariableDefinitionsByName)
  const names = settings.flatMap(([name, { isSecret }]) => (isSecret ? [name, `${name}_FILE`] : [name]))
  expect(Object.keys(all).sort()).toEqual(names.sort())
  expect(readEnvironmentSettings(all)).toEqual(readEnvironmentSettings({}))
})

test.each(Object.entries<EnvironmentVariableDefinition>(environmentVariableDefinitionsByName))(
  '%s says what applies without it, in one place',
  (_, setting) => {
    expect(Object.keys(setting).filter((key) => ['standard', 'unset'].includes(key))).toHaveLength(1)
    expect(setting.description).toMatch(/^\S[^|\n]*\.$/)
  },
)
