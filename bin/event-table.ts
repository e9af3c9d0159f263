import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { featureModules } from '#app.ts'
import type { EventName } from '#core/feature/events.ts'

// This module makes the table of domain events that `npm run generate` writes into docs/development.md.

const root = join(import.meta.dirname, '..')

export interface EventRow {
  name: string
  /** The type of the event's payload, as it is written in the TypeScript source. */
  payload: string
}

/**
 * Returns the domain events that the source text of an events.ts declares. Finds only events whose payload
 * type is written there as `{ … }`, not as the name of a type.
 */
export const parseEvents = (text: string): EventRow[] =>
  [...text.matchAll(/^\s*'([^']+)': (\{[^}]*\})$/gm)].map(([, name, payload]) => ({
    name: name!,
    // Joins a payload of several lines, because a row of the table is one line.
    payload: payload!
      .replace(/\{\s*\n\s*/, '{ ')
      .replace(/\s*\n\s*\}/, ' }')
      .replace(/\s*\n\s*/g, '; '),
  }))

/** Returns the names of the domain events that a source text emits. */
export const parseEmitted = (text: string): string[] =>
  [...text.matchAll(/\bemit\(\s*\w+,\s*'([^']+)'/g)].map(([, name]) => name!)

/** Returns the paths and texts of the server source files of all features, without tests and browser code. */
function serverSources() {
  const paths = globSync('features/*/*.ts', { cwd: root }).sort()
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

/**
 * Returns a Markdown table of all domain events in the order of their features. Its columns are the name of
 * the event, the payload, the files that emit the event, and the features that listen to it.
 */
export function renderEventTable() {
  const sources = serverSources()
  const events = featureModules.flatMap((module) =>
    sources.filter(({ path }) => path === `features/${module.name}/events.ts`),
  )
  const rows = events
    .flatMap(({ text }) => parseEvents(text))
    .map(({ name, payload }) => {
      const emitters = sources.filter(({ text }) => parseEmitted(text).includes(name))
      const listeners = featureModules.filter((module) => module.listeners?.[name as EventName])
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
