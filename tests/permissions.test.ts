import { describe, expect, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import type { ServedChannel } from '#core/schemas.ts'
import { channelTable } from '#tests/channel-permission-table.ts'
import { databases } from '#tests/harness.ts'
import { callableEndpoints, permissionScene } from '#tests/permission-scene.ts'
import { tableColumns, tableLines } from '#tests/permission-table-parser.ts'
import { endpointTable, tableRoles } from '#tests/permission-tables.ts'

vi.setConfig({ testTimeout: 300_000 })

const channels = featureModules.flatMap((module): ServedChannel[] => Object.values(module.channels))

test('every endpoint and every channel is in the tables', () => {
  const firsts = (table: string) => [...new Set(tableColumns(table).map(([first]) => first))].sort()
  expect(firsts(endpointTable)).toEqual(Object.keys(callableEndpoints).sort())
  expect(firsts(channelTable)).toEqual(channels.map(({ name }) => name).sort())
})

describe.each(databases)('permissions on %s', (dialect) => {
  test('are those of the table of endpoints', async () => {
    const { outcome } = await permissionScene(dialect)
    const found = tableLines(endpointTable).slice(0, 1)
    for (const [call, about] of tableColumns(endpointTable)) {
      const line: unknown[] = [call, about]
      for (const role of tableRoles) line.push(await outcome(call, about, role))
      found.push([...line, about === '-' ? '-' : await outcome(call, about, 'nothing')].join(' '))
    }
    expect(found).toEqual(tableLines(endpointTable))
  })

  test('of admins over what is not theirs need a new confirmation, except those that do no harm', async () => {
    const { outcome } = await permissionScene(dialect)
    const open: string[] = []
    for (const line of tableLines(endpointTable).slice(1)) {
      const [call, about, , stranger, , , admin] = line.split(' ') as [string, string, ...string[]]
      const { method } = callableEndpoints[call]!
      const isRightOfAdmins = stranger!.startsWith('4') && admin!.startsWith('2')
      if (method !== 'GET' && isRightOfAdmins && (await outcome(call, about, 'thief')) !== 423)
        open.push(call)
    }
    // Whoever starts a roll call needs it at once. The end of a link shows nobody anything.
    expect(open).toEqual([
      ...['pins.pin', 'pins.unpin', 'groups.create'],
      ...['memberLists.preview', 'albumLinks.end', 'rollCalls.start', 'rollCalls.end', 'turns.preview'],
    ])
  })

  test('are those of the table of channels', async () => {
    const { listen } = await permissionScene(dialect)
    const found = tableLines(channelTable).slice(0, 1)
    for (const [name, about] of tableColumns(channelTable)) {
      const line: unknown[] = [name, about]
      for (const role of tableRoles) line.push(await listen(name, role))
      found.push(line.join(' '))
    }
    expect(found).toEqual(tableLines(channelTable))
  })
})
