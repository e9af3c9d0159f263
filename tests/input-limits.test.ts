import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { apiContracts } from '#app.ts'
import { invalidInput } from '#core/http/errors.ts'

/** Texts that are longer than any input may be. Some consist of characters that schemas trim or replace. */
const longTexts = ['x', '7', ' ', '\r\n', '👍'].map((part) => `${part.repeat(70_000)}x`)

interface Schema extends v.GenericSchema {
  entries?: Record<string, Schema>
  wrapped?: Schema
  options?: readonly Schema[]
  item?: Schema
  pipe?: readonly (Schema | { kind: 'validation' | 'transformation' })[]
}

const accepts = (schema: Schema, value: unknown) => v.safeParse(schema, value).success

/**
 * Returns an error text for each field of a schema that accepts input of any length, or whose type is unknown
 * to this test.
 */
function unbounded(schema: Schema, path: string): string[] {
  const { type, entries, wrapped, options, pipe } = schema
  // Checks the inner schema of a wrapper such as `optional`, because the wrapper only refuses or replaces
  // values.
  if (wrapped) return unbounded(wrapped, path)
  if (options && type !== 'picklist') return options.flatMap((option) => unbounded(option, path))
  switch (type) {
    case 'object':
      return Object.entries(entries!).flatMap(([name, entry]) => unbounded(entry, `${path}.${name}`))
    case 'string':
      return longTexts.some((text) => keeps(schema, text)) ? [`${path}: a text of any length`] : []
    case 'array': {
      const items = pipe?.find((part): part is Schema => 'item' in part && part !== pipe[0])?.item
      if (!items || accepts(schema, Array(1000).fill('x'))) return [`${path}: a list of any length`]
      return unbounded(items, `${path}[]`)
    }
    case 'record':
      return accepts(
        schema,
        Object.fromEntries(longTexts.concat(Array(1000).keys().map(String).toArray()).map((key) => [key, 0])),
      )
        ? [`${path}: ${type}`]
        : []
    case 'number':
    case 'boolean':
    case 'literal':
    case 'picklist':
      return []
    default:
      return [`${path}: ${type}`]
  }
}

/**
 * Returns whether a schema accepts a long text and keeps it long. A schema with a fallback also accepts such
 * a text, but replaces it by the fallback.
 */
function keeps(schema: Schema, text: string) {
  const { success, output } = v.safeParse(schema, text)
  return success && String(output).length > 10_000
}

describe('the inputs of all contracts', () => {
  test('limit each text, list and object', () => {
    const found = Object.entries(apiContracts).flatMap(([name, contract]) =>
      Object.entries(contract).flatMap(([call, { input }]) => unbounded(input as Schema, `${name}.${call}`)),
    )
    expect(found).toEqual([])
  })

  test('without a limit are reported', () => {
    const found = (schema: v.GenericSchema) => unbounded(schema as Schema, 'x')
    expect(found(v.object({ a: v.string() }))).toEqual(['x.a: a text of any length'])
    expect(found(v.object({ a: v.optional(v.array(v.number())) }))).toEqual(['x.a: a list of any length'])
    expect(found(v.pipe(v.array(v.number()), v.maxLength(4)))).toEqual(['x: a list of any length'])
    for (const schema of [v.looseObject({}), v.record(v.string(), v.number()), v.unknown(), v.any()])
      expect(found(schema)).toEqual([`x: ${schema.type}`])
  })

  test('report one issue for a list that is too long, whatever its items are', () => {
    for (const { input } of [apiContracts.posts!.create!, apiContracts.messages!.sendPrivate!]) {
      const { issues = [] } = v.safeParse(input, { input: 'x', targetUserId: 1, alt: Array(30_000).fill(0) })
      expect(issues.map(({ message }) => message)).toEqual(['items:4'])
    }
  })

  test('report at most 20 issues in a response', () => {
    const { issues } = v.safeParse(v.array(v.string()), Array(1000).fill(0))
    const { fields } = invalidInput(issues!)
    expect(Object.values(fields!).flat()).toHaveLength(20)
  })
})
