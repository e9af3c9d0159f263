import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { featureModules } from '#app.ts'
import { parseEmitted, parseEvents, renderEventTable } from '#bin/event-table.ts'

test('every event is declared and emitted, and every listener listens to a declared event', () => {
  const table = renderEventTable()
  for (const path of globSync('features/*/*.ts'))
    for (const event of parseEmitted(readFileSync(path, 'utf8')))
      expect(table, path).toContain(`| \`${event}\` |`)
  expect(table).toContain('| `follow.deleted` | `{ follower_id: number; followed_id: number }` |')
  expect(table).not.toContain('nobody')
  for (const { name, listeners = {} } of featureModules)
    for (const event of Object.keys(listeners))
      expect(table, name).toMatch(new RegExp(`^\\| \`${event}\` .*\`${name}\`.*\\|$`, 'm'))
})

test('reads declared and announced events from the text of a source', () => {
  const text = `declare module '#core/feature/events.ts' {\n  interface DomainEvents {\n    'a.b': { id: number }\n  }\n}`
  expect(parseEvents(text)).toEqual([{ name: 'a.b', payload: '{ id: number }' }])
  expect(parseEmitted(`await emit(tx, 'a.b', { id })\nif (x) emit(\n  tx,\n  'c.d', y)`)).toEqual([
    'a.b',
    'c.d',
  ])
})
