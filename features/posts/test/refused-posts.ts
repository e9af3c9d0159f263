import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { readRows, type TestApp } from '#tests/harness.ts'
import { fourColours, uploadFile } from '#tests/pictures.ts'

/** Creates a small PNG file that a test can send in the form for a new post. */
export const smallPng = async () => uploadFile(await fourColours().png().toBuffer(), 'a.png')

/** Expects that a refused post has left no database row, no picture file and no temporary file. */
export async function expectNothingStored({ db, folder }: TestApp) {
  for (const table of ['posts', 'post_attachments', 'media', 'pending_media'])
    expect(await readRows(db, table), table).toEqual([])
  for (const name of ['media', 'scratch']) expect(await readdir(join(folder, name)), name).toEqual([])
}
