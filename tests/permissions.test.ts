import { describe, expect, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import type { ChannelDefinition } from '#core/contract.ts'
import { dialects } from '#tests/harness.ts'
import { createPermissionScene, endpointsByCall } from '#tests/permission-scene.ts'
import {
  expectedChannelAuthStatusTable,
  expectedEndpointStatusTable,
  normalizeTableLines,
  parseFirstTwoColumns,
  permissionTableRoles,
} from '#tests/permission-tables.ts'

vi.setConfig({ testTimeout: 300_000 })

const channels = featureModules.flatMap((module): ChannelDefinition[] => Object.values(module.channels ?? {}))

test('every endpoint and every channel is in the tables', () => {
  const firsts = (table: string) => [...new Set(parseFirstTwoColumns(table).map(([first]) => first))].sort()
  expect(firsts(expectedEndpointStatusTable)).toEqual(Object.keys(endpointsByCall).sort())
  expect(firsts(expectedChannelAuthStatusTable)).toEqual(channels.map(({ name }) => name).sort())
})

describe.each(dialects)('permissions on %s', (dialect) => {
  test('are those of the table of endpoints', async () => {
    const { outcome } = await createPermissionScene(dialect)
    const found = normalizeTableLines(expectedEndpointStatusTable).slice(0, 1)
    for (const [call, about] of parseFirstTwoColumns(expectedEndpointStatusTable)) {
      const line: unknown[] = [call, about]
      for (const role of permissionTableRoles) line.push(await outcome(call, about, role))
      found.push([...line, about === '-' ? '-' : await outcome(call, about, 'nothing')].join(' '))
    }
    expect(found).toEqual(normalizeTableLines(expectedEndpointStatusTable))
  })

  test('are those of the table of channels', async () => {
    const { listen } = await createPermissionScene(dialect)
    const found = normalizeTableLines(expectedChannelAuthStatusTable).slice(0, 1)
    for (const [name, about] of parseFirstTwoColumns(expectedChannelAuthStatusTable)) {
      const line: unknown[] = [name, about]
      for (const role of permissionTableRoles) line.push(await listen(name, role))
      found.push(line.join(' '))
    }
    expect(found).toEqual(normalizeTableLines(expectedChannelAuthStatusTable))
  })
})
