import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderEventTable } from './event-table.ts'
import { renderComposeEnvironment, renderEnvExample, renderVariables } from './settings-markdown.ts'
import { fillFromAllTests } from './spec-table.ts'

// This script, `npm run generate`, writes the generated parts of files. tests/generated.test.ts fails if
// one of them is out of date.

const root = join(import.meta.dirname, '..')

/**
 * The functions that update files with generated parts, by the path of the file. Each function takes the
 * current text of its file, and returns the text with new generated parts.
 */
export const updaters: Record<string, (text: string) => string> = {
  'docs/development.md': (text) => replaceGeneratedPart(text, 'events', renderEventTable()),
  'docs/self-hosting.md': (text) => replaceGeneratedPart(text, 'settings', renderVariables()),
  'docs/spec.md': fillFromAllTests,
  '.env.example': renderEnvExample,
  'compose.yaml': (text) =>
    replaceGeneratedPart(text, 'settings', renderComposeEnvironment(), ['      # ', '']),
}

/**
 * Returns `text` with `part` in place of the old text between the two markers named `name`, which are comments.
 * Throws if the text lacks the markers.
 */
export function replaceGeneratedPart(
  text: string,
  name: string,
  part: string,
  [open, close] = ['<!-- ', ' -->'],
) {
  const start = `${open}${name}: written by \`npm run generate\`${close}\n`
  const end = `${open}/${name}${close}`
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`The text lacks the markers of the part “${name}”.`)
  return text.slice(0, from + start.length) + part + text.slice(to)
}

export const readRepositoryFile = (path: string) => readFileSync(join(root, path), 'utf8')

if (import.meta.main)
  for (const [path, generate] of Object.entries(updaters)) {
    const before = readRepositoryFile(path)
    const after = generate(before)
    if (after !== before) writeFileSync(join(root, path), after)
    console.log(`${path} ${after === before ? 'was up to date' : 'is written'}.`)
  }
