import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { TestClient } from '#tests/harness.ts'
import { type VisibilityScene, viewerKinds } from './visibility-scene.ts'

// Functions that read and make the tables of docs/visibility.md.

const page = readFileSync(join(import.meta.dirname, '../docs/visibility.md'), 'utf8')

/** Returns the lines of docs/visibility.md between the HTML comments with the texts `mark` and `/mark`. */
export function markedLines(mark: string) {
  const [, text = ''] = new RegExp(`<!-- ${mark} -->\n([^]*?)\n<!-- /${mark} -->`).exec(page) ?? []
  return text.split('\n')
}
/** Returns the rows of a table in docs/visibility.md, without its two header lines. */
export const docTableRows = (table: string) => markedLines(table).slice(2)

const toRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`

export type ViewerClient = TestClient & { id?: number }

/**
 * Returns a row of a Markdown table: the name, and a cell for each kind of viewer, which `readCell` returns.
 * Expects that each child that may have contact with Pat gets the same cell as a viewer of the same kind who
 * is not a child.
 */
export async function docTableRow(
  scene: VisibilityScene,
  name: string,
  readCell: (who: ViewerClient) => Promise<string> | string,
) {
  const cells = new Map<string, string>()
  for (const kind of viewerKinds) cells.set(kind, await readCell(scene.viewers[kind]))
  for (const { who, kind } of scene.allowedChildren)
    expect(await readCell(who), `${name} as a child, who is a ${kind}`).toBe(cells.get(kind))
  return toRow([name, ...cells.values()])
}
