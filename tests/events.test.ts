import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { modules } from '#app.ts'
import { declaredEvents, emittedEvents, eventTable, readDocument, withTable } from '#bin/events.ts'

test('docs/development.md lists the events of the sources; `npm run events` writes them', () => {
  const document = readDocument()
  expect(withTable(document, eventTable())).toBe(document)
})

test('every event is announced somewhere, and every listener listens to an event of the table', () => {
  const table = eventTable()
  for (const path of globSync('features/*/*.ts'))
    for (const event of emittedEvents(readFileSync(path, 'utf8')))
      expect(table, path).toContain(`| \`${event}\` |`)
  expect(table).toContain('| `follow.deleted` | `{ follower_id: number; followed_id: number }` |')
  expect(table).not.toContain('nobody')
  for (const { name, listeners = {} } of modules)
    for (const event of Object.keys(listeners))
      expect(table, name).toMatch(new RegExp(`^\\| \`${event}\` .*\`${name}\` \\|$`, 'm'))
})

test('reads declared and announced events from the text of a source', () => {
  const text = `declare module '#core/events.ts' {\n  interface DomainEvents {\n    'a.b': { id: number }\n  }\n}`
  expect(declaredEvents(text)).toEqual([{ name: 'a.b', payload: '{ id: number }' }])
  expect(emittedEvents(`await emit(tx, 'a.b', { id })\nif (x) emit(\n  tx,\n  'c.d', y)`)).toEqual([
    'a.b',
    'c.d',
  ])
})

test('replaces the text between the markers alone, and throws without them', () => {
  const document = readDocument()
  const changed = withTable(document, 'x\n')
  expect(changed).toContain('<!-- events: written by `npm run events` -->\nx\n<!-- /events -->')
  expect(withTable(changed, eventTable())).toBe(document)
  expect(() => withTable('# Nothing', 'x')).toThrow('lacks the markers')
})
