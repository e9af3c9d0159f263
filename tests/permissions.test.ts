import { describe, expect, test, vi } from 'vitest'
import { featureModules } from '#app.ts'
import type { RealtimeChannelDefinition } from '#core/contract.ts'
import { testDatabaseDialects } from '#tests/harness.ts'
import { createPermissionTestFixture, permissionTestEndpointsByCallName } from '#tests/permission-scene.ts'
import {
  parseFirstTwoPermissionTableColumns,
  splitPermissionTableIntoNormalizedLines,
} from '#tests/permission-table-parser.ts'
import {
  permissionTableRoles,
  plainTextTableOfExpectedChannelAuthStatuses,
  plainTextTableOfExpectedEndpointStatuses,
} from '#tests/permission-tables.ts'

vi.setConfig({ testTimeout: 300_000 })

const channels = featureModules.flatMap((module): RealtimeChannelDefinition[] =>
  Object.values(module.channels ?? {}),
)

test('every endpoint and every channel is in the tables', () => {
  const firsts = (table: string) =>
    [...new Set(parseFirstTwoPermissionTableColumns(table).map(([first]) => first))].sort()
  expect(firsts(plainTextTableOfExpectedEndpointStatuses)).toEqual(
    Object.keys(permissionTestEndpointsByCallName).sort(),
  )
  expect(firsts(plainTextTableOfExpectedChannelAuthStatuses)).toEqual(channels.map(({ name }) => name).sort())
})

describe.each(testDatabaseDialects)('permissions on %s', (dialect) => {
  test('are those of the table of endpoints', async () => {
    const { outcome } = await createPermissionTestFixture(dialect)
    const found = splitPermissionTableIntoNormalizedLines(plainTextTableOfExpectedEndpointStatuses).slice(
      0,
      1,
    )
    for (const [call, about] of parseFirstTwoPermissionTableColumns(
      plainTextTableOfExpectedEndpointStatuses,
    )) {
      const line: unknown[] = [call, about]
      for (const role of permissionTableRoles) line.push(await outcome(call, about, role))
      found.push([...line, about === '-' ? '-' : await outcome(call, about, 'nothing')].join(' '))
    }
    expect(found).toEqual(splitPermissionTableIntoNormalizedLines(plainTextTableOfExpectedEndpointStatuses))
  })

  test('of admins over what is not theirs need a new confirmation, except those that do no harm', async () => {
    const { outcome } = await createPermissionTestFixture(dialect)
    const open: string[] = []
    for (const line of splitPermissionTableIntoNormalizedLines(
      plainTextTableOfExpectedEndpointStatuses,
    ).slice(1)) {
      const [call, about, , stranger, , , admin] = line.split(' ') as [string, string, ...string[]]
      const { method } = permissionTestEndpointsByCallName[call]!
      const isRightOfAdmins = stranger!.startsWith('4') && admin!.startsWith('2')
      if (method !== 'GET' && isRightOfAdmins && (await outcome(call, about, 'thief')) !== 423)
        open.push(call)
    }
    expect(open).toEqual(['pins.pin', 'pins.unpin', 'groups.create', 'memberLists.preview'])
  })

  test('are those of the table of channels', async () => {
    const { listen } = await createPermissionTestFixture(dialect)
    const found = splitPermissionTableIntoNormalizedLines(plainTextTableOfExpectedChannelAuthStatuses).slice(
      0,
      1,
    )
    for (const [name, about] of parseFirstTwoPermissionTableColumns(
      plainTextTableOfExpectedChannelAuthStatuses,
    )) {
      const line: unknown[] = [name, about]
      for (const role of permissionTableRoles) line.push(await listen(name, role))
      found.push(line.join(' '))
    }
    expect(found).toEqual(
      splitPermissionTableIntoNormalizedLines(plainTextTableOfExpectedChannelAuthStatuses),
    )
  })
})
