import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { modules } from '#app.ts'
import type { EventName } from '#core/events.ts'

// `npm run events` writes the table of domain events into docs/development.md. tests/events.test.ts checks it.

const root = join(import.meta.dirname, '..')
const DOCUMENT = 'docs/development.md'
const START = '<!-- events: written by `npm run events` -->\n'
const END = '<!-- /events -->'

export interface DomainEvent {
  name: string
  /** The payload as TypeScript writes it. */
  payload: string
}

/** The events that the text of an events.ts declares. Their payloads have to be written out there. */
export const declaredEvents = (text: string): DomainEvent[] =>
  [...text.matchAll(/^\s*'([^']+)': (\{[^}]*\})$/gm)].map(([, name, payload]) => ({
    name: name!,
    payload: payload!,
  }))

/** The names of the events that a source announces. */
export const emittedEvents = (text: string): string[] =>
  [...text.matchAll(/\bemit\(\s*\w+,\s*'([^']+)'/g)].map(([, name]) => name!)

/** The paths and texts of the features' sources, without tests and browser code. */
function serverSources() {
  const paths = globSync('features/*/*.ts', { cwd: root }).sort()
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/**
 * A Markdown table of all events, in the order of the features: payload, announcing files, listening
 * features.
 */
export function eventTable() {
  const sources = serverSources()
  const events = modules.flatMap((module) =>
    sources.filter(({ path }) => path === `features/${module.name}/events.ts`),
  )
  const rows = events
    .flatMap(({ text }) => declaredEvents(text))
    .map(({ name, payload }) => {
      const emitters = sources.filter(({ text }) => emittedEvents(text).includes(name))
      const listeners = modules.filter((module) => module.listeners?.[name as EventName])
      const cells = [
        `\`${name}\``,
        `\`${payload}\``,
        emitters.map(({ path }) => `\`${path}\``).join(', ') || 'nobody',
        listeners.map((module) => `\`${module.name}\``).join(', ') || '–',
      ]
      return `| ${cells.join(' | ')} |\n`
    })
  return ['| event | payload | announced in | listeners |\n', '|---|---|---|---|\n', ...rows].join('')
}

/** The document with the table between its two markers. Throws where it lacks them. */
export function withTable(document: string, table: string) {
  const [start, end] = [document.indexOf(START), document.indexOf(END)]
  if (start < 0 || end < start) throw new Error(`${DOCUMENT} lacks the markers of the table of events.`)
  return document.slice(0, start + START.length) + table + document.slice(end)
}

export const readDocument = () => readFileSync(join(root, DOCUMENT), 'utf8')

if (import.meta.main) writeFileSync(join(root, DOCUMENT), withTable(readDocument(), eventTable()))
